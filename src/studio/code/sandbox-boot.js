// In a frame without origin. Chromium starts no module worker from a blob there, but a classic one, which can import blobs that it made itself.
const boot = `onmessage = async ({ data: { library, port } }) => {
  try {
    const address = URL.createObjectURL(new Blob([library], { type: 'text/javascript' }));
    const { startInSandbox } = await import(address);
    startInSandbox(port, address);
  } catch (error) {
    port.postMessage({ kind: 'failed', number: -1, path: 'sandbox', text: String(error) });
  }
};`;
self.onmessage = ({ data, source }) => {
  if (source !== parent) return;
  const worker = new Worker(URL.createObjectURL(new Blob([boot], { type: 'text/javascript' })));
  worker.onerror = (event) => parent.postMessage({ broken: event.message || 'its worker did not start' }, '*');
  worker.postMessage(data, [data.port]);
};
parent.postMessage({ ready: true }, '*');
