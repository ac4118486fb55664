import { defineResource } from '../../kernel/resource/define.ts'

const lineList = { sort: ['position', 'ASC'] as const, size: 100 }
const position = { kind: 'number', label: 'Position', readOnly: true, detailOnly: true } as const

/** Who answers for the loan beside the borrower. */
export const guarantor = defineResource({
  model: 'applicationGuarantor',
  one: 'applicationGuarantor',
  many: 'applicationGuarantors',
  label: 'Guarantor',
  labelMany: 'Guarantors',
  title: 'name',
  isScoped: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    phonenumber: { kind: 'text', label: 'Phone', maxLength: 25 },
    idNumber: { kind: 'text', label: 'ID number', maxLength: 30, sensitive: true },
    relation: { kind: 'text', label: 'Relation', maxLength: 60 },
    amount: { kind: 'money', label: 'Answers for', min: 0, max: 999_999_999_999 },
    position,
  },
  list: { columns: ['name', 'phonenumber', 'relation', 'amount'], ...lineList },
})

const kinds = ['Vehicle', 'Land or house', 'Savings', 'Stock or goods', 'Machine', 'Other']

/** What secures the loan. */
export const collateral = defineResource({
  model: 'applicationCollateral',
  one: 'applicationCollateral',
  many: 'applicationCollaterals',
  label: 'Collateral',
  labelMany: 'Collateral',
  title: 'description',
  isScoped: true,
  fields: {
    kind: { kind: 'choice', label: 'Kind', required: true, options: kinds.map((value) => ({ value, label: value })) },
    description: { kind: 'text', label: 'Description', required: true, maxLength: 200 },
    reference: { kind: 'text', label: 'Registration or title', maxLength: 60 },
    year: { kind: 'number', label: 'Year', min: 1900, max: 2100, help: 'In which a vehicle was made; premiums of insurers may go by it' },
    value: { kind: 'money', label: 'Value', required: true, min: 0, max: 999_999_999_999 },
    position,
  },
  list: { columns: ['kind', 'description', 'reference', 'year', 'value'], ...lineList },
})

/** A paper that is asked for, and whether it is there. */
export const paper = defineResource({
  model: 'applicationPaper',
  one: 'applicationPaper',
  many: 'applicationPapers',
  label: 'Paper',
  labelMany: 'Papers',
  title: 'name',
  isScoped: true,
  fields: {
    name: { kind: 'text', label: 'Paper', required: true, maxLength: 60 },
    isReceived: { kind: 'boolean', label: 'Received', defaultValue: false },
    note: { kind: 'text', label: 'Note', maxLength: 200 },
    position,
  },
  list: { columns: ['name', 'isReceived', 'note'], ...lineList },
})
