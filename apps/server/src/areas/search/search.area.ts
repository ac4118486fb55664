import { anySession, defineArea, route } from '../../kernel/area.ts'
import { remotePlaces } from '../../kernel/remote/palette.ts'
import { query } from '../../kernel/resource/operations.ts'
import type { Area } from '../../kernel/types.ts'
import { searchAll, searchAnswer, searchInput } from './search.handlers.ts'

/** One search over everything, for the console's palette; the `areas` say where it looks. */
export function searchArea(areas: readonly Area[]): Area {
  const places = [...areas.flatMap(({ palette }) => palette), ...remotePlaces(areas.flatMap(({ routes }) => routes))].toSorted((a, b) => a.order - b.order)
  return defineArea({
    name: 'search',
    routes: [route('search.all', 'GET', '/api/search', anySession, query(searchInput, (ctx, input) => searchAll(ctx, places, input), searchAnswer), { own: true, limit: 240, summary: 'Records of all kinds whose words hold a text' })],
  })
}
