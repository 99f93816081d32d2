/**
 * Common materials at room temperature. Density, Young's modulus and Poisson's ratio are handbook values: CRC Handbook of
 * Chemistry and Physics; ASM Metals Handbook; MatWeb for the polymers; Forest Products Laboratory, Wood Handbook (along the grain).
 *
 * Restitution and friction are what is usual, rounded, for impacts of small bodies at about 1 m/s and for clean dry
 * surfaces: restitution after Newton (1687: glass 15/16, ivory 8/9, steel and cork 5/9), Goldsmith, Impact (1960), and Stronge,
 * Impact Mechanics (2000). They differ with speed (once metal yields e falls as v^(−1/4), Johnson 1985, §11.5), size, hardness,
 * finish and moisture by more than their last digit. Measure yours where it matters.
 */
import type { Material } from './material.js';

// ---- metals -------------------------------------------------------------------------------------------------------------------

/** Hardened: balls, shafts, gears. */
export const steel: Material = {
  name: 'steel',
  density: 7850,
  youngsModulus: 210e9,
  poissonRatio: 0.3,
  restitution: 0.9,
  friction: 0.5,
};
/** AISI 304. */
export const stainlessSteel: Material = {
  name: 'stainless steel',
  density: 8000,
  youngsModulus: 193e9,
  poissonRatio: 0.29,
  restitution: 0.7,
  friction: 0.5,
};
/** Grey. */
export const castIron: Material = {
  name: 'cast iron',
  density: 7200,
  youngsModulus: 110e9,
  poissonRatio: 0.26,
  restitution: 0.65,
  friction: 0.3,
};
export const aluminium: Material = {
  name: 'aluminium',
  density: 2700,
  youngsModulus: 70e9,
  poissonRatio: 0.33,
  restitution: 0.6,
  friction: 0.45,
};
export const copper: Material = {
  name: 'copper',
  density: 8960,
  youngsModulus: 117e9,
  poissonRatio: 0.34,
  restitution: 0.4,
  friction: 0.4,
};
export const brass: Material = {
  name: 'brass',
  density: 8500,
  youngsModulus: 100e9,
  poissonRatio: 0.34,
  restitution: 0.5,
  friction: 0.35,
};
export const bronze: Material = {
  name: 'bronze',
  density: 8800,
  youngsModulus: 110e9,
  poissonRatio: 0.34,
  restitution: 0.5,
  friction: 0.25,
};
export const titanium: Material = {
  name: 'titanium',
  density: 4500,
  youngsModulus: 110e9,
  poissonRatio: 0.34,
  restitution: 0.65,
  friction: 0.35,
};
export const lead: Material = {
  name: 'lead',
  density: 11340,
  youngsModulus: 16e9,
  poissonRatio: 0.44,
  restitution: 0.2,
  friction: 0.9,
};
/** Cemented with 6 % cobalt. */
export const tungstenCarbide: Material = {
  name: 'tungsten carbide',
  density: 14900,
  youngsModulus: 630e9,
  poissonRatio: 0.22,
  restitution: 0.9,
  friction: 0.22,
};

// ---- glass, ceramics, stone ------------------------------------------------------------------------------------------------------

/** Soda-lime. */
export const glass: Material = {
  name: 'glass',
  density: 2500,
  youngsModulus: 70e9,
  poissonRatio: 0.22,
  restitution: 0.95,
  friction: 0.4,
};
/** Synthetic, also sapphire: watch bearings and pallets. */
export const ruby: Material = {
  name: 'ruby',
  density: 3980,
  youngsModulus: 400e9,
  poissonRatio: 0.27,
  restitution: 0.95,
  friction: 0.15,
};
/** Sintered Al₂O₃, 99 %. */
export const alumina: Material = {
  name: 'alumina',
  density: 3900,
  youngsModulus: 380e9,
  poissonRatio: 0.23,
  restitution: 0.95,
  friction: 0.2,
};
export const granite: Material = {
  name: 'granite',
  density: 2650,
  youngsModulus: 50e9,
  poissonRatio: 0.25,
  restitution: 0.8,
  friction: 0.6,
};
export const basalt: Material = {
  name: 'basalt',
  density: 2900,
  youngsModulus: 70e9,
  poissonRatio: 0.25,
  restitution: 0.8,
  friction: 0.6,
};
export const sandstone: Material = {
  name: 'sandstone',
  density: 2300,
  youngsModulus: 15e9,
  poissonRatio: 0.25,
  restitution: 0.6,
  friction: 0.6,
};
export const concrete: Material = {
  name: 'concrete',
  density: 2400,
  youngsModulus: 30e9,
  poissonRatio: 0.2,
  restitution: 0.5,
  friction: 0.6,
};
/** A road surface at 20 °C under short loads. */
export const asphalt: Material = {
  name: 'asphalt',
  density: 2350,
  youngsModulus: 3e9,
  poissonRatio: 0.35,
  restitution: 0.4,
  friction: 0.7,
};
/** A grain of quartz sand: the solid, not the heap. */
export const sand: Material = {
  name: 'sand',
  density: 2650,
  youngsModulus: 95e9,
  poissonRatio: 0.08,
  restitution: 0.8,
  friction: 0.5,
};
/** At −10 °C. */
export const ice: Material = {
  name: 'ice',
  density: 917,
  youngsModulus: 9.3e9,
  poissonRatio: 0.33,
  restitution: 0.6,
  friction: 0.05,
};

// ---- wood and what grows ----------------------------------------------------------------------------------------------------------

export const oak: Material = {
  name: 'oak',
  density: 700,
  youngsModulus: 11e9,
  poissonRatio: 0.35,
  restitution: 0.5,
  friction: 0.5,
};
export const pine: Material = {
  name: 'pine',
  density: 500,
  youngsModulus: 9e9,
  poissonRatio: 0.35,
  restitution: 0.5,
  friction: 0.4,
};
export const cork: Material = {
  name: 'cork',
  density: 180,
  youngsModulus: 20e6,
  poissonRatio: 0,
  restitution: 0.55,
  friction: 0.6,
};
export const leather: Material = {
  name: 'leather',
  density: 900,
  youngsModulus: 100e6,
  poissonRatio: 0.4,
  restitution: 0.4,
  friction: 0.55,
};
export const ivory: Material = {
  name: 'ivory',
  density: 1850,
  youngsModulus: 12e9,
  poissonRatio: 0.3,
  restitution: 0.89,
  friction: 0.15,
};

// ---- polymers -----------------------------------------------------------------------------------------------------------------

/** Natural rubber, 60 Shore A. */
export const rubber: Material = {
  name: 'rubber',
  density: 1100,
  youngsModulus: 5e6,
  poissonRatio: 0.49,
  restitution: 0.75,
  friction: 1,
};
/** Billiard balls. */
export const phenolic: Material = {
  name: 'phenolic',
  density: 1750,
  youngsModulus: 5e9,
  poissonRatio: 0.35,
  restitution: 0.95,
  friction: 0.06,
};
/** Polyamide 6, dry. */
export const nylon: Material = {
  name: 'nylon',
  density: 1140,
  youngsModulus: 2.7e9,
  poissonRatio: 0.39,
  restitution: 0.7,
  friction: 0.25,
};
/** Polyoxymethylene. */
export const acetal: Material = {
  name: 'acetal',
  density: 1410,
  youngsModulus: 2.9e9,
  poissonRatio: 0.35,
  restitution: 0.8,
  friction: 0.25,
};
/** High density. */
export const polyethylene: Material = {
  name: 'polyethylene',
  density: 955,
  youngsModulus: 1e9,
  poissonRatio: 0.42,
  restitution: 0.6,
  friction: 0.2,
};
export const polycarbonate: Material = {
  name: 'polycarbonate',
  density: 1200,
  youngsModulus: 2.35e9,
  poissonRatio: 0.37,
  restitution: 0.8,
  friction: 0.4,
};
/** Polymethyl methacrylate. */
export const acrylic: Material = {
  name: 'acrylic',
  density: 1185,
  youngsModulus: 3e9,
  poissonRatio: 0.37,
  restitution: 0.75,
  friction: 0.6,
};
export const absPlastic: Material = {
  name: 'abs',
  density: 1050,
  youngsModulus: 2.2e9,
  poissonRatio: 0.37,
  restitution: 0.7,
  friction: 0.4,
};
/** Polytetrafluoroethylene. */
export const ptfe: Material = {
  name: 'ptfe',
  density: 2170,
  youngsModulus: 0.5e9,
  poissonRatio: 0.46,
  restitution: 0.5,
  friction: 0.05,
};
