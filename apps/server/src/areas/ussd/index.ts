/** What other areas may ask of USSD. */
export { ussdArea } from './ussd.area.ts'
export { ussdRequest } from './request.resource.ts'
