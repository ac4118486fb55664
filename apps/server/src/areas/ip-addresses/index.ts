export { ipAddressesArea } from './ip-addresses.area.ts'
