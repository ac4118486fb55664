import { may } from '../../kernel/area.ts'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { productFee, termFields } from './version.fields.ts'
import { breaksNoCap, prepareVersion } from './version.rules.ts'

/** The terms of a product from a day on: drafts are edited, published ones are pinned by applications and never change. */
export const productVersion = defineResource({
  model: 'productVersion',
  one: 'productVersion',
  many: 'productVersions',
  label: 'Product version',
  labelMany: 'Product versions',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  workflow: {
    field: 'state',
    route: 'products.moveVersion',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Published: { meaning: 'done', colour: 'green' },
      Retired: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Draft', 'Published'],
    moves: [
      {
        name: 'publish',
        label: 'Publish',
        from: ['Draft'],
        to: 'Published',
        access: may('ADMIN/PRODUCTS/EDIT'),
        refuse: breaksNoCap,
      },
      {
        name: 'retire',
        label: 'Retire',
        from: ['Published'],
        to: 'Retired',
        access: may('ADMIN/PRODUCTS/EDIT'),
        danger: true,
        ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      },
    ],
  },
  fields: {
    name: {
      kind: 'text',
      label: 'Version',
      readOnly: true,
      sql: `(select p."name" from product p where p."companyId" = t."companyId" and p."id" = t."productId") || ' v' || t."number"`,
    },
    productId: { kind: 'reference', label: 'Product', to: 'product', required: true, createOnly: true },
    number: { kind: 'number', label: 'Number', readOnly: true },
    state: { kind: 'choice', label: 'State', readOnly: true },
    note: { kind: 'text', label: 'What is new', maxLength: 300 },
    ...termFields,
    fees: { kind: 'lines', label: 'Fees', of: productFee, by: 'versionId', max: 20 },
    publishedAt: { kind: 'dateTime', label: 'Published', readOnly: true },
    publishedByUserId: { kind: 'reference', label: 'Published by', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'name',
      'state',
      'effectiveFrom',
      'effectiveUntil',
      'annualRate',
      'minAmount',
      'maxAmount',
      'minInstalments',
      'maxInstalments',
    ],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['productId', 'state', 'effectiveFrom'],
    empty: { title: 'No versions yet', body: 'A version says what a loan may be and what it costs, from a day on.' },
  },
  form: [
    ['productId', 'creditType'],
    ['minAmount', 'maxAmount'],
    ['minInstalments', 'maxInstalments'],
    ['everyUnit', 'everyCount'],
    ['method', 'balloonPercent'],
    ['annualRate', 'dayCount'],
    ['fees'],
    ['insuranceKind', 'insuranceRate'],
    ['penaltyKind', 'penaltyAmount'],
    ['penaltyPer', 'penaltyGraceDays', 'penaltyInDuplum'],
    ['graceOnPrincipal', 'graceOnInterest'],
    ['brokenPeriod', 'dueOnHoliday'],
    ['instalmentRounding', 'allocation'],
    ['calculator', 'papers'],
    ['effectiveFrom', 'effectiveUntil'],
    ['note'],
  ],
  actions: [
    { open: '/products/versions/:Id/simulate', key: 'simulate', label: 'Simulate', scope: 'row' },
    {
      route: 'products.removeVersion',
      label: 'Delete draft',
      scope: 'row',
      idField: 'id',
      danger: true,
      undo: 'products.restoreVersion',
      visibleIf: { eq: ['state', 'Draft'] },
      confirm: { title: 'Delete this draft?' },
    },
  ],
  held: {
    find: ({ company }, ids) =>
      sql`select "id" from product_version where "companyId" = ${company.id}::uuid and "id" = any(${ids}::uuid[]) and "state" <> 'Draft'`,
    message: 'A published version is kept: loans were agreed at it. Retire it instead.',
  },
  prepare: prepareVersion,
})
