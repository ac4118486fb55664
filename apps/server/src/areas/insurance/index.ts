/** What other areas may ask of insurance. */
export { insuranceArea } from './insurance.area.ts'
