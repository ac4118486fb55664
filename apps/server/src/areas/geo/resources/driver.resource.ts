import { remoteResource } from '../../../kernel/remote/remote.ts'

/** Who drives, known by an iButton, a card or their phone. */
export const driver = remoteResource({
  one: 'driver',
  many: 'drivers',
  label: 'Driver',
  labelMany: 'Drivers',
  title: 'name',
  calls: 'geo.drivers',
  answers: { one: 'driver', many: 'drivers' },
  sorts: ['name', 'uniqueId', 'phone', 'licenceExpires', 'dateCreated', 'dateModified'],
  ignores: ['type', 'attributes'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    uniqueId: { kind: 'text', label: 'Key', maxLength: 128, help: 'Number of the iButton, tag or card that the tracker reads' },
    userId: { kind: 'reference', label: 'Person here', to: 'user' },
    phone: { kind: 'text', label: 'Phone', maxLength: 40 },
    licence: { kind: 'text', label: 'Licence', maxLength: 60 },
    licenceExpires: { kind: 'date', label: 'Licence expires' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  palette: { subtitle: ['uniqueId', 'phone'], open: '/tracking/drivers/', tail: '/view', branch: 'tenantId', order: 74 },
  list: {
    columns: ['name', 'uniqueId', 'userId', 'phone', 'licence', 'licenceExpires', 'tenantId'],
    search: ['name', 'uniqueId'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'uniqueId', 'phone', 'licence', 'userId', 'tenantId', 'dateCreated'],
    empty: { title: 'No drivers yet', body: 'Add whoever drives; trips say who it was by the key that the tracker read.' },
  },
  form: [['name', 'uniqueId'], ['userId', 'phone'], ['licence', 'licenceExpires'], ['tenantId']],
  actions: [
    {
      route: 'drivers.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this driver?', body: 'Trips that name the driver stay as they are.' },
    },
  ],
})
