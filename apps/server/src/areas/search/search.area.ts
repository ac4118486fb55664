import { anySession, defineArea, route } from '../../kernel/area.ts'
import { query } from '../../kernel/resource/operations.ts'
import { searchAll, searchInput } from './search.handlers.ts'

/** One search over everything, for the console's palette. */
export const searchArea = defineArea({
  name: 'search',
  routes: [route('search.all', 'GET', '/api/search', anySession, query(searchInput, searchAll), { own: true, limit: 240, summary: 'Records of all kinds whose words hold a text' })],
})
