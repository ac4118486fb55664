import { fail, type Failure } from '@outpost/contract/errors'
import { toFailure } from '@outpost/platform/failures'
import { z } from 'zod'
import { open, route } from '../area.ts'
import type { Answer, Ctx, RequestInfo, Route } from '../types.ts'
import { lookOf } from '../settings/look.ts'
import { pageAnswer } from './html.ts'
import { openLink, submitByLink, tokenSchema, type LinkTable, type OpenedLink } from './link.ts'
import type { PageView } from './page-view.ts'

export interface PublicPage<Input extends z.ZodRawShape> {
  link: LinkTable
  /** Who opens it, for the reader of the API document. */
  why: string
  /** The page of a link. Undefined for one that counts no more: then the page says so in the kernel's words. */
  show(link: OpenedLink): Promise<PageView | undefined> | PageView | undefined
  /** What its form sends. */
  input: z.ZodObject<Input>
  /** What follows from the form, once where the link counts once; refusals are shown above the form. Gives the page shown next. */
  submit(ctx: Ctx, id: string, input: z.infer<z.ZodObject<Input>>, facts: RequestInfo): Promise<PageView>
  /** Requests a minute and address; default 20. */
  limit?: number
}

const tokenInput = z.strictObject({ token: z.string().max(400) })
/** Only `token` is named here: what is wrong in a form is shown on its page. */
const formInput = z.looseObject(tokenInput.shape)
type FormInput = z.infer<typeof formInput>

/**
 * A page for people outside, opened by a link with a secret (makeLinkToken): plain HTML in the company's name, without scripts and
 * without a session. Opening it changes nothing; its form is answered on the same address. Two routes: `<name>` and `<name>Submit`.
 */
export function publicPage<Input extends z.ZodRawShape>(name: string, path: `/${string}/:token`, page: PublicPage<Input>): Route[] {
  const access = open(page.why)
  const options = { own: true, limit: page.limit ?? 20, sends: 'text/html' } as const
  const common = { kind: 'public', refuse: refusedPage } as const
  const show = (input: z.infer<typeof tokenInput>, { host }: RequestInfo) => showPage(page, input, host)
  const submit = (input: FormInput, facts: RequestInfo) => submitPage(page, input, facts)
  return [
    route(name, 'GET', path, access, { ...common, input: tokenInput, run: show }, { ...options, summary: 'A page of plain HTML' }),
    route(
      `${name}Submit`,
      'POST',
      path,
      access,
      { ...common, input: formInput, run: submit },
      { ...options, upload: { files: 0 }, bodyLimit: 65_536, summary: 'The form of that page; answered with a page' },
    ),
  ]
}

async function openPage(link: LinkTable, token: string): Promise<OpenedLink> {
  return tokenSchema.safeParse(token).success ? openLink(link, token) : fail('TOKEN_INVALID')
}

async function showPage<Input extends z.ZodRawShape>(
  page: PublicPage<Input>,
  { token }: z.infer<typeof tokenInput>,
  host: string,
): Promise<Answer> {
  const link = await openPage(page.link, token)
  return pageAnswer({ status: link.state === 'expired' ? 410 : 200, host, ...(await ownerOf(link.ctx)), view: await viewOf(page, link) })
}

/** The company in whose name a page is. */
const ownerOf = async ({ company }: Ctx) => ({ company: company.name, look: await lookOf(company.id) })

const viewOf = async <Input extends z.ZodRawShape>({ show }: PublicPage<Input>, link: OpenedLink): Promise<PageView> =>
  (await show(link)) ?? closedView(link)

const closedView = ({ ctx, state }: OpenedLink): PageView =>
  state === 'expired'
    ? { title: 'This link has expired', paragraphs: [`Ask ${ctx.company.name} for a new one.`] }
    : { title: 'This link has been used already', paragraphs: ['Nothing more is needed from you.'] }

async function submitPage<Input extends z.ZodRawShape>(
  page: PublicPage<Input>,
  { token, ...given }: FormInput,
  facts: RequestInfo,
): Promise<Answer> {
  const { host } = facts
  const opened = await openPage(page.link, token)
  const owner = await ownerOf(opened.ctx)
  try {
    const input = page.input.parse(given)
    const view = await submitByLink(page.link, opened, (ctx, id) => page.submit(ctx, id, input, facts))
    return pageAnswer({ status: 200, host, ...owner, view })
  } catch (error) {
    const failure = toFailure(error, facts.log)
    const link = await openPage(page.link, token)
    const shown = { status: failure.error.status, host, ...owner, view: await viewOf(page, link) }
    if (link.state !== 'open') return pageAnswer(shown)
    const { fields = [] } = failure.more
    const isFields = failure.failure === 'INVALID' && fields.some(({ field }) => shown.view.form?.fields?.[field])
    return pageAnswer({
      ...shown,
      values: given,
      errors: fields,
      problem: isFields ? 'Please correct what is marked below.' : failure.message,
    })
  }
}

/** What is shown where no page can be: the link is none, or the call could not be read. */
function refusedPage({ failure, error, message }: Failure, { host }: { host: string }): Answer {
  const isNoLink = ['TOKEN_INVALID', 'NOT_FOUND', 'INVALID'].includes(failure)
  const view = isNoLink
    ? { title: 'This link is not valid any more', paragraphs: ['Ask the person who sent it for a new one.'] }
    : {
        title: 'This did not work',
        paragraphs: [failure === 'UNKNOWN' ? 'Something went wrong here. Try again in a few minutes.' : message],
      }
  return pageAnswer({ status: isNoLink ? 404 : error.status, host, view })
}
