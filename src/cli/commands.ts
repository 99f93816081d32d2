/** The table of commands: what `tippetop <name>` loads. */
import type { Command } from 'commander';

/** Commands in the order of the help. Each is loaded when it is asked for, so that none waits for what the others need. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  new: async () => (await import('./new.js')).newCommand(),
  run: async () => (await import('./run.js')).runCommand(),
  view: async () => (await import('./view.js')).viewCommand(),
  studio: async () => (await import('./studio.js')).studioCommand(),
  explain: async () => (await import('./explain.js')).explainCommand(),
  linear: async () => (await import('./linear.js')).linearCommand(),
  build: async () => (await import('./build.js')).buildCommand(),
  inspect: async () => (await import('./inspect.js')).inspectCommand(),
  sweep: async () => (await import('./studies/sweep.js')).sweepCommand(),
  study: async () => (await import('./studies/study.js')).studyCommand(),
  worker: async () => (await import('./studies/worker.js')).workerCommand(),
  compare: async () => (await import('./compare.js')).compareCommand(),
  export: async () => (await import('./export.js')).exportCommand(),
  render: async () => (await import('./render.js')).renderCommand(),
  convert: async () => (await import('./convert.js')).convertCommand(),
  stress: async () => (await import('./stress.js')).stressCommand(),
  fem: async () => (await import('./fem/fem.js')).femCommand(),
  optimise: async () => (await import('./fem/optimise.js')).optimiseCommand(),
  asset: async () => (await import('./asset.js')).assetCommand(),
  calibrate: async () => (await import('./calibrate.js')).calibrateCommand(),
  rig: async () => (await import('./rig.js')).rigCommand(),
  verify: async () => (await import('./verify.js')).verifyCommand(),
  bench: async () => (await import('./bench.js')).benchCommand(),
  list: async () => (await import('./list.js')).listCommand(),
  gallery: async () => (await import('./gallery.js')).galleryCommand(),
};
