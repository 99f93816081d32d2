/** Sizes of the records in the arrays of grains, in numbers; what they hold is said in grain-slots.ts. */
import type { i32 } from './prelude.js';

export const RANGE: i32 = 16;
export const RESULT: i32 = 16;
export const FEATURE: i32 = 32;
export const CONTACT: i32 = 16;
/** Most contacts of a grain with one body that are told apart: a round hole or cone of facets has one for each of them */
export const MOST_CONTACTS: i32 = 1024;
/** What is found of a contact before its law is asked */
export const FRESH: i32 = 10;
/** Contacts with walls that wait for their forces, and what is known of one: grain, body, place of what it remembers, n, depth, place of its law, feature, share (−1: all), energy of what is between it and others */
export const WAITING: i32 = 64;
export const HELD: i32 = 12;
export const WALL: i32 = 32;
export const WALL_INTS: i32 = 16;
export const LAW: i32 = 16;
/** Where those that wait lie in a thread's room for what contacts with walls are found with, and that room */
export const HELD_AT: i32 = (2 * FRESH + CONTACT) * MOST_CONTACTS + LAW;
export const SCRATCH: i32 = HELD_AT + HELD * WAITING;
export const RECORD: i32 = 20;
/** In a neighbour's number: the pair touched at the last step. */
export const TOUCHED: i32 = 1 << 30;
