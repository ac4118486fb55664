/** What other areas may ask of products. */
export { daysOffOf } from './days-off.ts'
export { product } from './product.resource.ts'
export { productsArea } from './products.area.ts'
export { quoteAnswer, readVersion } from './version.handlers.ts'
export { productVersion } from './version.resource.ts'
