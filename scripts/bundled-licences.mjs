// The licences of the packages that a page's bundle contains: vite tells which modules went in, so that the list cannot lag behind.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export class BundledLicences {
  /** Folder of each package, by its name */
  folders = new Map();

  /** For `plugins` of a build, and of its workers */
  plugin() {
    return {
      name: 'bundled-licences',
      moduleParsed: ({ id }) => {
        const found = /^\0?(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(id);
        if (found) this.folders.set(found[2].replace('\\', '/'), found[1]);
      },
    };
  }

  /** Name, version, address and licence of each, in full */
  text() {
    return [...this.folders]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, folder]) => {
        const { version, homepage, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
        if (!file) throw new Error(`${name}: goes into the page, and no licence lies in its package`);
        const from = homepage ?? repository?.url ?? repository ?? '';
        return `${name} ${version}  ${from}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      })
      .join(`\n${'-'.repeat(80)}\n\n`);
  }
}
