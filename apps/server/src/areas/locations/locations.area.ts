import { defineArea, may, route } from '../../kernel/area.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { history } from '../../kernel/keeps/history.ts'
import { create, get, list, remove, restore, update } from '../../kernel/resource/operations.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { location } from './location.resource.ts'

const own = { own: true }
const layouts = [{ kind: 'map', latKey: 'latitude', lngKey: 'longitude', colourKey: 'kind', labelKey: 'name', near: true }] as const

/** Places of the company's own: one line a call. The specification names three screens and no calls. */
export const locationsArea = defineArea({
  name: 'locations',
  resources: [location],
  palette: [{ resource: location, anyOf: ['ADMIN/LOCATIONS'], subtitle: `concat_ws(' · ', t."kind", t."address")`, open: '/admin/locations/view/', branch: 'tenantId', order: 80 }],
  routes: [
    route('locations.list', 'GET', '/api/locations', may('ADMIN/LOCATIONS'), list(location), own),
    route('locations.get', 'GET', '/api/locations/:id', may('ADMIN/LOCATIONS'), get(location), own),
    route('locations.timeline', 'GET', '/api/locations/:id/timeline', may('ADMIN/LOCATIONS'), history(location), own),
    route('locations.comment', 'POST', '/api/locations/:id/comments', may('ADMIN/LOCATIONS'), comment(location, { open: '/admin/locations/view/:id' }), own),
    route('locations.create', 'POST', '/api/locations', may('ADMIN/LOCATIONS/CREATE'), create(location), own),
    route('locations.remove', 'POST', '/api/locations/delete', may('ADMIN/LOCATIONS/DELETE'), remove(location), own),
    route('locations.restore', 'POST', '/api/locations/restore', may('ADMIN/LOCATIONS/DELETE'), restore(location), own),
    route('locations.update', 'PUT', '/api/locations/:id', may('ADMIN/LOCATIONS/EDIT'), update(location), own),
  ],
  screens: [
    screen('/admin/locations', may('ADMIN/LOCATIONS'), listOf(location, { overrides: { exportReport: 'exportList', layouts } }), { menu: { under: 'administration', label: 'Locations', icon: 'pin', order: 1 } }),
    screen('/admin/locations/create', may('ADMIN/LOCATIONS/CREATE'), formOf(location)),
    screen('/admin/locations/edit/:id', may('ADMIN/LOCATIONS/EDIT'), formOf(location)),
    screen('/admin/locations/view/:id', may('ADMIN/LOCATIONS'), detailOf(location, { overrides: { sections: [{ rows: [['name', 'kind'], ['address', 'phone'], ['latitude', 'longitude'], ['isActive', 'tenantId'], ['createdByUserId', 'dateCreated'], ['note']] }] } })),
  ],
})
