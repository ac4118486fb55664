import { defineResource } from '../../../kernel/resource/define.ts'
import { prepareShare } from './asset-share.rules.ts'

/** A link that shows people outside where an asset is, until it ends or is withdrawn. Its secret is shown once. */
export const assetShare = defineResource({
  model: 'assetShare',
  one: 'shareLink',
  many: 'shareLinks',
  label: 'Share link',
  labelMany: 'Share links',
  title: 'label',
  isScoped: true,
  isIdentity: true,
  fields: {
    assetId: { kind: 'reference', label: 'Asset', to: 'asset', required: true, createOnly: true },
    label: { kind: 'text', label: 'For whom', maxLength: 120 },
    expireDate: { kind: 'dateTime', label: 'Until', required: true },
    status: {
      kind: 'choice',
      label: 'Status',
      defaultValue: 'Active',
      options: [
        { value: 'Active', label: 'Active', colour: 'green' },
        { value: 'Revoked', label: 'Withdrawn', colour: 'red' },
      ],
    },
    blurMetres: { kind: 'number', label: 'Blurred by (m)', defaultValue: 0, min: 0, max: 20_000 },
    showsSpeed: { kind: 'boolean', label: 'Shows the speed', defaultValue: true },
    showsTrail: { kind: 'boolean', label: 'Shows the way of the last hour', defaultValue: false },
    createdByUserId: { kind: 'reference', label: 'Shared by', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Shared', readOnly: true },
  },
  list: {
    columns: ['assetId', 'label', 'expireDate', 'status', 'blurMetres', 'createdByUserId', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    filters: ['assetId', 'status', 'dateCreated'],
    empty: { title: 'Nothing is shared', body: 'Share an asset from its panel on the map.' },
  },
  prepare: prepareShare,
})
