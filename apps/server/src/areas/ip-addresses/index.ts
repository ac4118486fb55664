/** What other areas may ask of lists of addresses. */
export { askToBeLetIn } from './break-glass.ts'
export { ipAddressesArea } from './ip-addresses.area.ts'
