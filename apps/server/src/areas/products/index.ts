/** What other areas may ask of products. */
export { versionOnOffer } from './on-offer.ts'
export { productsArea } from './products.area.ts'
export { readVersion } from './version.handlers.ts'
