// Bodies that touch, in scenes with a known answer: everyone who is installed beside us in turn, a line each, with time and error. Peers step
// by 1 ms; we by tolerance. A column × is the time of the line over the time of that peer.
import { scenes } from './contact-lines.js';
import { cradle, drop, sliding, slope, spinning, stack } from './peers/contact-scenes.js';

scenes('contact/stack', [6, 60], stack);
scenes('contact/sliding', [1], sliding);
scenes('contact/drop', [1], drop);
scenes('contact/cradle', [5], cradle);
scenes('contact/spinning', [1], spinning);
scenes('contact/slope', [1], slope);
