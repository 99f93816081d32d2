/** As the bundler makes it */
declare module '*?worker' {
  const Made: new () => Worker;
  export default Made;
}

interface ImportMeta {
  /** Modules whose path matches, loaded when called */
  glob<Module>(pattern: string): Readonly<Record<string, () => Promise<Module>>>;
}
