/** What the list of areas takes of reports. */
export { reportCategoriesArea } from './categories/categories.area.ts'
export { reportsArea } from './reports.area.ts'
