import { remoteResource } from '../../../kernel/remote/remote.ts'

/** A place with a border that is watched, or a point of interest; the geo service keeps it and says when a device crosses it. */
export const fence = remoteResource({
  one: 'fence',
  many: 'fences',
  label: 'Fence',
  labelMany: 'Fences',
  title: 'name',
  calls: 'geo.geofences',
  answers: { one: 'geofence', many: 'geofences' },
  sorts: ['name', 'type', 'shape', 'radius', 'squareMetres', 'edgeMetres', 'speedLimit', 'isActive', 'dateCreated', 'dateModified'],
  ignores: ['devices', 'attributes', 'calendar', 'state', 'stateSince', 'isStale'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    type: {
      kind: 'choice',
      label: 'Kind',
      defaultValue: 'geofence',
      options: [
        { value: 'geofence', label: 'Fence', colour: 'blue' },
        { value: 'poi', label: 'Point of interest', colour: 'green' },
      ],
    },
    shape: {
      kind: 'choice',
      label: 'Shape',
      options: [
        { value: 'circle', label: 'Circle' },
        { value: 'polygon', label: 'Area' },
        { value: 'route', label: 'Corridor' },
      ],
    },
    area: {
      kind: 'json',
      label: 'Outline',
      required: true,
      isTechnical: true,
    },
    radius: { kind: 'number', label: 'Radius (m)', min: 1, max: 200_000 },
    squareMetres: { kind: 'number', label: 'Area (m²)', readOnly: true },
    edgeMetres: { kind: 'number', label: 'Edge (m)', readOnly: true },
    speedLimit: { kind: 'number', label: 'Speed limit (km/h)', min: 1, max: 300 },
    enterDelay: { kind: 'number', label: 'Inside counts after (s)', min: 0, max: 600 },
    exitDelay: { kind: 'number', label: 'Outside counts after (s)', min: 0, max: 600 },
    colour: { kind: 'colour', label: 'Colour' },
    description: { kind: 'longText', label: 'Description', maxLength: 1_000 },
    tags: { kind: 'tags', label: 'Tags', max: 20, maxLength: 40 },
    isActive: { kind: 'boolean', label: 'Watched', defaultValue: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  palette: { subtitle: ['description'], open: '/tracking/fences/edit/', branch: 'tenantId', order: 72 },
  list: {
    columns: ['name', 'type', 'shape', 'squareMetres', 'edgeMetres', 'speedLimit', 'isActive', 'tenantId', 'dateCreated'],
    search: ['name', 'description'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'type', 'shape', 'description', 'isActive', 'tenantId', 'dateCreated'],
    empty: { title: 'No fences yet', body: 'Draw one round a yard, a branch or a border.' },
  },
  actions: [
    { key: 'fences.import', label: 'Import', scope: 'page', open: '/tracking/fences/import' },
    { key: 'fences.export', label: 'Save as a map file', scope: 'page', open: '/tracking/fences/export' },
    {
      route: 'fences.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this fence?', body: 'Its visits stay; rules that name it match it no more.' },
    },
  ],
})
