import { defineResource } from '../../kernel/resource/define.ts'
import { prepareIpAddress } from './ip-address.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** An address, or a range of them, that people and programs of the company may call from. */
export const ipAddress = defineResource({
  model: 'ipRule',
  one: 'ipAddress',
  many: 'ipAddresses',
  label: 'IP address',
  labelMany: 'IP addresses',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  isIdentity: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'Where it is, such as "Head office"' },
    range: { kind: 'text', label: 'Address or range', required: true, maxLength: 60, help: 'As 196.201.214.0/24 or 2c0f:fe38::/32' },
    appliesTo: {
      kind: 'choice',
      label: 'Holds for',
      required: true,
      defaultValue: 'company',
      help: 'Who has a list of their own is not held by the company’s',
      options: [
        { value: 'company', label: 'Everybody' },
        { value: 'role', label: 'A role' },
        { value: 'user', label: 'An API user' },
      ],
    },
    roleId: {
      kind: 'reference',
      label: 'Role',
      to: 'role',
      visibleIf: { eq: ['appliesTo', 'role'] },
      requiredIf: { eq: ['appliesTo', 'role'] },
    },
    userId: {
      kind: 'reference',
      label: 'API user',
      to: 'apiUser',
      visibleIf: { eq: ['appliesTo', 'user'] },
      requiredIf: { eq: ['appliesTo', 'user'] },
    },
    mayLockOut: {
      kind: 'boolean',
      label: 'Lock people out',
      defaultValue: false,
      help: 'Save also when people who work from elsewhere could not work any more. Yourself you cannot lock out.',
    },
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
  },
  list: {
    columns: ['name', 'range', 'appliesTo', 'roleId', 'userId', 'createdByUserId', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['name', 'range', 'appliesTo', 'roleId', 'dateCreated'],
    empty: { title: 'Everybody may work from anywhere', body: 'Add the first address; from then on all others are refused.' },
  },
  form: [['name', 'range'], ['appliesTo', 'roleId', 'userId'], ['mayLockOut']],
  actions: [
    {
      ...bulkDeleteAction(
        'ipAddresses.remove',
        { title: 'Delete the chosen addresses?', body: 'Without the last one of a list, its people may work from anywhere.' },
        'ipAddresses.restore',
      ),
      warning: 'ipAddresses.dryRun',
      form: {
        mayLockOut: {
          kind: 'boolean',
          label: 'Lock people out',
          help: 'Delete also when people could not work any more. Yourself you cannot lock out.',
        },
      },
    },
  ],
  prepare: prepareIpAddress,
})
