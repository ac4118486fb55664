import { remoteResource } from '../../kernel/remote/remote.ts'

const statuses = [
  { value: 'online', label: 'Online', colour: 'green' }, { value: 'offline', label: 'Offline', colour: 'default' },
  { value: 'unknown', label: 'Not heard of yet', colour: 'orange' }, { value: 'disabled', label: 'Switched off', colour: 'red' },
]
const types = ['Primary', 'Bluetooth Transponder'].map((value) => ({ value, label: value }))

/** A tracker or a phone that sends positions; the geo service keeps it. */
export const device = remoteResource({
  one: 'device', many: 'devices', label: 'Device', labelMany: 'Devices', title: 'name',
  calls: 'geo.devices', answers: { one: 'geoDevice', many: 'geoDevices' },
  sorts: ['name', 'uniqueId', 'type', 'status', 'make', 'model', 'category', 'protocol', 'disabled', 'lastUpdate', 'dateCreated', 'dateModified'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120, help: 'What people call it, such as the number plate' },
    uniqueId: { kind: 'text', label: 'Identifier', required: true, maxLength: 128, help: 'What the device calls itself: its IMEI, or the name given to a phone' },
    status: { kind: 'choice', label: 'Status', readOnly: true, options: statuses },
    type: { kind: 'choice', label: 'Type', defaultValue: 'Primary', options: types },
    make: { kind: 'text', label: 'Make', maxLength: 80 },
    model: { kind: 'text', label: 'Model', maxLength: 80 },
    category: { kind: 'text', label: 'Category', maxLength: 40 },
    phone: { kind: 'text', label: 'Number of its SIM card', maxLength: 40 },
    contact: { kind: 'text', label: 'Contact', maxLength: 120 },
    disabled: { kind: 'boolean', label: 'Switched off', defaultValue: false, help: 'Nothing that it sends is stored' },
    userId: { kind: 'reference', label: 'Carried by', to: 'user' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    protocol: { kind: 'text', label: 'Protocol', readOnly: true },
    lastUpdate: { kind: 'dateTime', label: 'Last heard of', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'uniqueId', 'status', 'model', 'userId', 'tenantId', 'lastUpdate', 'protocol'],
    search: ['name', 'uniqueId'], sort: ['name', 'ASC'], size: 100,
    filters: ['name', 'uniqueId', 'status', 'type', 'make', 'model', 'category', 'phone', 'protocol', 'disabled', 'userId', 'tenantId', 'lastUpdate', 'dateCreated'],
    empty: { title: 'No devices yet', body: 'Add a tracker or a phone by the identifier it sends.' },
  },
  form: [['name', 'uniqueId'], ['type', 'category'], ['make', 'model'], ['phone', 'contact'], ['userId', 'tenantId'], ['disabled']],
  actions: [{ route: 'devices.remove', label: 'Delete', scope: 'row', danger: true, confirm: { title: 'Delete this device?', body: 'Its trips and positions stay; what it sends from now on is refused.' } }],
})
