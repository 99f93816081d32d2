/** Options that commands about soft soil have in common: which soil, which wheel on it, how fine its grid is. */
import type { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import type { Soil } from '../model/soil.js';
import { SOILS, type SoilName } from '../model/soil-library.js';
import * as format from './text/format.js';

export interface SoilOptions {
  readonly soil: string;
  readonly load: string;
  readonly radius: string;
  readonly width: string;
  readonly gravity: string;
  readonly spacing: string;
  readonly digging: string;
  readonly json?: boolean;
}

/** Adds them; defaults that differ from command to command are given. */
export function withSoilOptions(
  command: Command,
  {
    load,
    width,
    spacing,
    digging,
  }: { readonly load: string; readonly width: string; readonly spacing: string; readonly digging: string },
): Command {
  return command
    .option('--soil <name>', 'of the library', 'sand-azimi')
    .option('--load <N>', load, '100')
    .option('--radius <m>', 'of the wheel', '0.15')
    .option('--width <m>', width, '0.1')
    .option('--gravity <m/s2>', 'across the ground', '9.81')
    .option('--spacing <m>', 'of the grid', spacing)
    .option('--digging <part>', 'of sliding that carries soil off', digging)
    .option('--json', 'print one JSON document and nothing else');
}

export interface SoilAndWheel {
  readonly soil: Soil;
  /** N, m, m, m/s², m */
  readonly load: number;
  readonly radius: number;
  readonly width: number;
  readonly gravity: number;
  readonly spacing: number;
  readonly digging: number;
}

/** @throws ModelError that names the option */
export function soilAndWheel(options: SoilOptions): SoilAndWheel {
  const digging = Number(options.digging);
  if (!(options.digging.trim() !== '' && digging >= 0))
    throw new ModelError('--digging', `expected a part ≥ 0, got "${options.digging}"`);
  return {
    soil: soilNamed(options.soil),
    load: format.parsePositive(options.load, '--load', 'N'),
    radius: format.parsePositive(options.radius, '--radius', 'm'),
    width: format.parsePositive(options.width, '--width', 'm'),
    gravity: format.parsePositive(options.gravity, '--gravity', 'm/s²'),
    spacing: format.parsePositive(options.spacing, '--spacing', 'm'),
    digging,
  };
}

function soilNamed(name: string): Soil {
  if (Object.hasOwn(SOILS, name)) return SOILS[name as SoilName];
  throw new ModelError(
    '--soil',
    `there is no soil "${name}"${suggestion(name, Object.keys(SOILS)) || `; there are ${Object.keys(SOILS).join(', ')}`}`,
  );
}
