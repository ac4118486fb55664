/** What other areas may call. */
export { webFormsArea } from './web-forms.area.ts'
