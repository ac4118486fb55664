import { defineResource } from '../../kernel/resource/define.ts'
import { prepareHoliday } from './holiday.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** A day on which nobody of a tenant works; or a day off of those above on which it works all the same. */
export const holiday = defineResource({
  model: 'holiday',
  one: 'holiday',
  many: 'holidays',
  label: 'Holiday',
  labelMany: 'Holidays',
  title: 'name',
  writtenBy: ['tenantId'],
  fields: {
    date: { kind: 'date', label: 'Day', required: true },
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    tenantId: { kind: 'reference', label: 'Holds for', to: 'tenant', help: 'And for all below it; without: the whole company' },
    country: { kind: 'text', label: 'Country (two letters)', min: 2, maxLength: 2, help: 'Without: the country of the company' },
    isWorked: { kind: 'boolean', label: 'Work goes on', defaultValue: false, help: 'A day off of those above, on which this branch works' },
    overrides: {
      kind: 'boolean',
      label: 'Instead of the one above',
      readOnly: true,
      sql: `exists (select 1 from tenant own join holiday above on above."companyId" = own."companyId" and above."tenantId" = any(own."path") and above."tenantId" <> own."id"
        where own."companyId" = t."companyId" and own."id" = t."tenantId" and above."country" = t."country" and above."date" = t."date")`,
    },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
  },
  list: {
    columns: ['date', 'name', 'tenantId', 'country', 'isWorked', 'overrides'],
    search: ['name'],
    sort: ['date', 'ASC'],
    size: 1_000,
    filters: ['country', 'date', 'tenantId', 'isWorked'],
    empty: {
      title: 'No holidays yet',
      body: 'Until you add some, every day of the working week counts. Those of your country can be imported.',
    },
  },
  form: [['date', 'name'], ['tenantId', 'country'], ['isWorked']],
  actions: [
    {
      route: 'workingTime.importHolidays',
      label: 'Import public holidays',
      scope: 'page',
      form: { year: { kind: 'number', label: 'Year', required: true, min: 2_000, max: 2_100 } },
    },
    bulkDeleteAction('workingTime.removeHoliday', { title: 'Delete the chosen holidays?' }),
  ],
  prepare: prepareHoliday,
})
