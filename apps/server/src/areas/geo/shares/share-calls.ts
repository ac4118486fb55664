import { fail } from '@outpost/contract/errors'
import { geoCalls } from '@outpost/contract/geo/calls'
import { optionalNumber } from '@outpost/contract/input'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import { makeLinkToken } from '../../../kernel/public/link.ts'
import { recordSchema } from '../../../kernel/resource/answers.ts'
import { listRecords } from '../../../kernel/resource/read/list.ts'
import { createRecord, getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { checkInput, idInput, idSchema, writeSchemas } from '../../../kernel/resource/schema.ts'
import { hashSecret } from '../../../kernel/session/tokens/opaque.ts'
import type { Operation, Route } from '../../../kernel/types.ts'
import { sql } from '@outpost/platform/db/sql'
import { asset } from '../assets/asset.resource.ts'
import { assetShare } from './asset-share.resource.ts'

/** What a person chooses of a link, beside its end and status. */
const chosen = {
  label: z.string().max(120).optional(),
  blurMetres: optionalNumber(z.number()),
  showsSpeed: z.boolean().optional(),
  showsTrail: z.boolean().optional(),
}
const status = z.union([z.string(), z.boolean(), z.number()]).optional()
const created = z.strictObject({ assetInfoId: idSchema, expireDate: z.string(), status, ...chosen })
const changed = z.strictObject({ assetShareId: idSchema, expireDate: z.string().optional(), status, ...chosen })

/** The specification does not show the values of status: 1, true and Active mean a link that counts. */
function statusOf(given: z.infer<typeof status>): 'Active' | 'Revoked' | undefined {
  if (given === undefined) return undefined
  const text = String(given).toLowerCase()
  if (['active', '1', 'true'].includes(text)) return 'Active'
  if (['revoked', 'inactive', '0', 'false'].includes(text)) return 'Revoked'
  return fail('INVALID', { fields: [{ field: 'status', message: 'must be Active or Revoked' }] })
}

const listShares: Operation<{ id: string }> = {
  kind: 'query',
  input: idInput,
  isReadOnly: true,
  answer: () => z.strictObject({ shareLinks: z.array(recordSchema(assetShare, 'list')) }),
  run: async (ctx, { id }) => {
    const { Id } = await getRecord(ctx, asset, id)
    return listRecords(ctx, assetShare, { page: 1, size: 1_000 }, { where: () => sql`t."assetId" = ${Id}::uuid` })
  },
}

/** The link is shown this once; what is stored is its hash. */
const createShare: Operation<z.infer<typeof created>> = {
  kind: 'command',
  input: created,
  isReadOnly: false,
  answer: () => z.strictObject({ shareLink: recordSchema(assetShare, 'detail'), link: z.string() }),
  run: async (ctx, { assetInfoId, status: given, ...rest }) => {
    const token = makeLinkToken(ctx.company.id)
    const asked = { ...rest, assetId: assetInfoId, ...(given === undefined ? {} : { status: statusOf(given) }) }
    const input = checkInput(writeSchemas(assetShare).create, asked)
    const shareLink = await createRecord(ctx, assetShare, input, { tokenHash: `\\x${hashSecret(token).toString('hex')}` })
    return { data: { shareLink, link: `/shared/${token}` }, message: 'Share link created successfully' }
  },
}

const updateShare: Operation<z.infer<typeof changed>> = {
  kind: 'command',
  input: changed,
  isReadOnly: false,
  answer: () => z.strictObject({ shareLink: recordSchema(assetShare, 'detail') }),
  run: async (ctx, { assetShareId, status: given, ...rest }) => {
    const input = checkInput(writeSchemas(assetShare).update, {
      ...rest,
      id: assetShareId,
      ...(given === undefined ? {} : { status: statusOf(given) }),
    })
    return { data: { shareLink: await updateRecord(ctx, assetShare, assetShareId, input) }, message: 'Share link updated successfully' }
  },
}

/** A link outlasts the session, so nobody makes one in another's name. */
export const shareRoutes: Route[] = [
  route('assets.shareLinks', 'GET', '/api/geo/assets/share-links/:id', may(...geoCalls['devices.list'].anyOf), listShares),
  route('assets.share', 'POST', '/api/geo/asset/share-links', may(...geoCalls['devices.update'].anyOf), createShare, {
    inPerson: true,
    limit: 30,
  }),
  route('assets.changeShare', 'PUT', '/api/geo/asset/share-links', may(...geoCalls['devices.update'].anyOf), updateShare, {
    inPerson: true,
  }),
]
