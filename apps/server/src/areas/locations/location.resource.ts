import { commentAction } from '../../kernel/keeps/comments.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { prepareLocation } from './location.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

export const locationKinds = [
  { value: 'Office', label: 'Office', colour: 'blue' },
  { value: 'Shop', label: 'Shop', colour: 'cyan' },
  { value: 'Pay point', label: 'Pay point', colour: 'green' },
  { value: 'Dealer', label: 'Dealer', colour: 'purple' },
  { value: 'Yard', label: 'Storage yard', colour: 'orange' },
  { value: 'Meeting point', label: 'Meeting point', colour: 'gold' },
  { value: 'Other', label: 'Other', colour: 'default' },
]

/** A place of the company's own that people work with: an office, a pay point, a dealer, a storage yard. */
export const location = defineResource({
  model: 'location',
  one: 'location',
  many: 'locations',
  label: 'Location',
  labelMany: 'Locations',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  keeps: ['comments'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    kind: { kind: 'choice', label: 'Kind', defaultValue: 'Office', options: locationKinds },
    address: { kind: 'text', label: 'Address', maxLength: 300 },
    latitude: { kind: 'number', label: 'Latitude', min: -90, max: 90, help: 'Degrees, as maps show them: -1.2864' },
    longitude: { kind: 'number', label: 'Longitude', min: -180, max: 180, help: 'Degrees: 36.8172' },
    phone: { kind: 'phone', label: 'Phone' },
    isActive: { kind: 'boolean', label: 'In use', defaultValue: true },
    note: { kind: 'longText', label: 'Note', maxLength: 2_000, help: 'For example when it is open, or how to find it' },
    createdByUserId: { kind: 'reference', label: 'Added by', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'kind', 'address', 'phone', 'latitude', 'longitude', 'isActive', 'tenantId', 'dateCreated'],
    search: ['name', 'address'],
    sort: ['name', 'ASC'],
    size: 10_000,
    filters: ['kind', 'isActive', 'createdByUserId', 'tenantId', 'dateCreated'],
    empty: { title: 'No locations yet', body: 'Add the places that people ask for: offices, pay points, dealers, yards.' },
  },
  form: [['name', 'kind'], ['address'], ['latitude', 'longitude'], ['phone', 'isActive'], ['note']],
  actions: [
    commentAction('locations.comment'),
    bulkDeleteAction('locations.remove', { title: 'Delete the chosen locations?' }, 'locations.restore'),
  ],
  prepare: prepareLocation,
})
