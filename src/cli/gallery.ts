/** `tippetop gallery`: all examples on one page, with picture, figures and replay. Ctrl-C keeps what is there. */
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { makeGallery } from '../gallery/gallery.js';
import { duration } from './text/progress.js';

interface GalleryOptions {
  readonly out: string;
  readonly pictures?: boolean;
  readonly figures: boolean;
}

export function galleryCommand(): Command {
  return new Command('gallery')
    .description('build a page of all examples: picture, figures, replay')
    .argument('[names...]', 'only these examples')
    .option('--out <folder>', 'where the page goes', 'out/gallery')
    .option('--no-figures', 'leave the expected figures out: quicker')
    .option('--pictures', 'also renew the pictures in the examples’ READMEs')
    .addHelpText('after', '\nExample:\n  tippetop gallery newtons-cradle gears')
    .action(gallery);
}

async function gallery(names: string[], { out, pictures = false, figures }: GalleryOptions): Promise<void> {
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  const started = performance.now();
  const page = await makeGallery(out, {
    names,
    pictures,
    figures,
    stopped: () => interrupted,
    onEntry: ({ name, failure, figures: measured }) => {
      const missed = measured.filter(({ pass }) => !pass).length;
      console.log(`${name}: ${failure ?? `${measured.length} figures${missed > 0 ? `, ${missed} missed` : ''}`}`);
      if (failure || missed > 0) process.exitCode = 1;
    },
  });
  process.off('SIGINT', interrupt);
  console.log(`wrote ${page} in ${duration((performance.now() - started) / 1000)}`);
  if (interrupted) process.exitCode = 130;
}
