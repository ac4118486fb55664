/** What other areas may ask of products. */
export { daysOffOf } from './days-off.ts'
export { versionOnOffer } from './on-offer.ts'
export { productsArea } from './products.area.ts'
export { readVersion } from './version.handlers.ts'
