import { anySession, defineArea, may, route } from '../../../kernel/area.ts'
import { create, get, list, query, remove, update } from '../../../kernel/resource/operations.ts'
import { idInput } from '../../../kernel/resource/schema.ts'
import { formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import type { Area } from '../../../kernel/types.ts'
import { reportCategoryOf } from './category.resource.ts'
import { inWords } from './in-words.ts'
import { categoriesAnswer, categoriesOfUser } from './seen.ts'

const [see, add, edit, drop] = [may('ADMIN/REPORTS'), may('ADMIN/REPORTS/CREATE'), may('ADMIN/REPORTS/EDIT'), may('ADMIN/REPORTS/DELETE')]

/** Headings that a company groups its reports under: which there are, and who sees them. */
export function reportCategoriesArea(areas: readonly Area[]): Area {
  const options = areas.flatMap(({ reports }) => reports.filter(({ anyOf }) => anyOf.length > 0).map(({ name, title }) => ({ value: name, label: title })))
  const category = reportCategoryOf(options)
  return defineArea({
    name: 'reportCategories',
    resources: [category],
    routes: [
      route('reportCategories.list', 'GET', '/api/report-categories', see, inWords('Failed to retrieve report categories', list(category))),
      route('reportCategories.byUser', 'GET', '/api/report-categories/by-user/:id', anySession, inWords('Failed to retrieve report categories', query(idInput, categoriesOfUser, categoriesAnswer))),
      route('reportCategories.get', 'GET', '/api/report-categories/:id', see, inWords('Failed to retrieve report_category details', get(category))),
      route('reportCategories.create', 'POST', '/api/report-categories', add, inWords('Failed to create report category', create(category))),
      route('reportCategories.remove', 'POST', '/api/report-categories/delete', drop, inWords('Failed to delete report', remove(category))),
      route('reportCategories.update', 'PUT', '/api/report-categories/:id', edit, inWords('Failed to update report category', update(category))),
    ],
    screens: [
      screen('/reports/categories', see, listOf(category, { overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Report categories', icon: 'file-chart', order: 78 } }),
      screen('/reports/categories/create', add, formOf(category)),
      screen('/reports/categories/:id/edit', edit, formOf(category)),
    ],
  })
}
