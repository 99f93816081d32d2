/** Colours of the stage in light and dark, sRGB 0…1. */
import type { Colour } from '../../geometry/solid.js';
import type { Rgb } from '../../results/scene/colour-scale.js';
import { DAY_SKY } from '../standard-views.js';

export interface Theme {
  readonly skyTop: Rgb;
  readonly skyBottom: Rgb;
  /** Lines where faces meet, with their opacity */
  readonly edge: Colour;
  /** Grid lines, with the opacity of a weak one; every tenth is stronger */
  readonly grid: Colour;
  /** Ground without a colour of its own, and how much of a body's own colour it keeps */
  readonly ground: Rgb;
  readonly groundKeeps: number;
  /** Darkest a shadow on the ground gets, 0…1 */
  readonly shadow: number;
  /** What is chosen */
  readonly accent: Rgb;
  /** Light from the sky and its reflection from below, the sun, and a weak one beside the eye */
  readonly sky: number;
  readonly bounce: Rgb;
  readonly sun: number;
  readonly lamp: number;
  /** Of the room that shining things mirror (mirrored-room.ts) */
  readonly room: number;
}

export const LIGHT: Theme = {
  skyTop: DAY_SKY.top,
  skyBottom: DAY_SKY.bottom,
  edge: [0.08, 0.1, 0.14, 0.55],
  grid: [0.2, 0.25, 0.33, 0.09],
  ground: [0.9, 0.9, 0.89],
  groundKeeps: 0.55,
  shadow: 0.34,
  accent: [0.05, 0.42, 0.85],
  sky: 1.6,
  bounce: [0.72, 0.71, 0.68],
  sun: 1.5,
  lamp: 0.4,
  room: 1,
};

export const DARK: Theme = {
  skyTop: [0.065, 0.075, 0.095],
  skyBottom: [0.12, 0.13, 0.155],
  edge: [0.01, 0.015, 0.03, 0.6],
  grid: [0.72, 0.78, 0.88, 0.055],
  ground: [0.125, 0.135, 0.16],
  groundKeeps: 0.09,
  shadow: 0.55,
  accent: [0.35, 0.7, 1],
  sky: 0.95,
  bounce: [0.3, 0.31, 0.34],
  sun: 1.5,
  lamp: 0.4,
  room: 0.8,
};
