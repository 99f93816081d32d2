/** `tippetop list`: the examples that come with the package, with the first sentence of what each says about itself. */
import { Command } from 'commander';
import { titleOf } from '../node/model-files/example-texts.js';
import { exampleNames } from '../node/model-files/load-model.js';

export function listCommand(): Command {
  return new Command('list')
    .description('list the examples')
    .option('--json', 'print one JSON document and nothing else')
    .action((options: { json?: boolean }) => {
      const examples = exampleNames().map((name) => ({ name, title: titleOf(name) }));
      if (options.json) console.log(JSON.stringify({ examples }, null, 2));
      else {
        const width = Math.max(...examples.map(({ name }) => name.length));
        for (const { name, title } of examples) console.log(`${name.padEnd(width)}  ${title}`);
      }
    });
}
