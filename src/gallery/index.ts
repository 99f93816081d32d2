/** All examples on one page: picture, figures, replay. Needs Node. `tippetop gallery` makes it. */
export type { GalleryEntry, GalleryFigure } from '../viewer/gallery-page.js';
export { type GalleryOptions, makeGallery } from './gallery.js';
