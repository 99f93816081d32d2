/** A Redis of one's own for a claim or a test: started on a free port, with a password and an append-only file, so that it may be stopped and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export const redisInstalled = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

export class LocalRedis {
  readonly folder: string;
  readonly port: number;
  private process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** @param folder where its append-only file lies */
  static async start(folder: string): Promise<LocalRedis> {
    const redis = new LocalRedis(folder, await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://:secret@127.0.0.1:${this.port}`;
  }

  /** Starts it, again with what its file holds, and waits until it answers */
  async start(): Promise<void> {
    const words = ['--port', String(this.port), '--requirepass', 'secret', '--dir', this.folder];
    this.process = spawn('redis-server', [...words, '--appendonly', 'yes', '--save', ''], { stdio: 'ignore' });
    while (!(await answers(this.port))) {
      if (this.process.exitCode !== null) throw new Error(`redis-server ended with ${this.process.exitCode}`);
      await pause(20);
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { process: child } = this;
    if (!child || child.exitCode !== null || child.signalCode) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });

/** Whether the server says anything to a PING, be it that a password is wanted: while it loads its file it says so, too */
const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('*3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n*1\r\n$4\r\nPING\r\n'),
    );
    const end = (there: boolean): void => {
      socket.destroy();
      done(there);
    };
    let text = '';
    socket.on('data', (bytes) => {
      text += String(bytes);
      if (/\+PONG|LOADING/.test(text)) end(text.includes('+PONG'));
    });
    socket.on('error', () => end(false)).on('close', () => end(false));
  });
