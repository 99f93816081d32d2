/** Generated things with an id: wheels, ground, rocks, fields of rocks. Same parameters, same bytes. */
export { type CraterOptions, craterList } from './craters.js';
export type { HeightMap } from './height-map.js';
export { type HeightMapReading, readHeightMap } from './height-map-files/index.js';
export { assetBytes } from './obj.js';
export { type Asset, assetId, canonicalText } from './parameters.js';
export { type RockAsset, type RockOptions, rock, rockId } from './rock.js';
export { type PlacedRock, type RockFieldAsset, type RockFieldOptions, rockField } from './rock-field.js';
export { coverageAbove, numberDensity, type RockStatistic } from './rock-sizes.js';
export { type AngularRockOptions, angularRock, type BelgianBlockOptions, belgianBlock } from './stones.js';
export { flatTerrain, type Layer, Terrain, type TerrainOptions, type TerrainPiece, terrain } from './terrain.js';
export { grouserLine, treadRadius, type WheelAsset, wheel, wheelId } from './wheel.js';
export { type WheelOptions, type WheelParameters, wheelParameters } from './wheel-parameters.js';
