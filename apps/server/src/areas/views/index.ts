/** What other areas may ask of views. */
export { viewsArea } from './views.area.ts'
