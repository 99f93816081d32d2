/**
 * Lets a program of one's own import model files: `node --import tippetop/register program.mjs`. TypeScript in them runs as it is, and
 * `tippetop` means this package, as in the command line.
 */
import { register } from 'node:module';

register('../node/model-files/typescript-loader.js', import.meta.url);
