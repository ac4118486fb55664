/** What other areas may ask of USSD. */
export { ussdArea } from './ussd.area.ts'
