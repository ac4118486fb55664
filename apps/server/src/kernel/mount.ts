import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '@outpost/contract/errors'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { repeatOnConflict } from '@outpost/platform/db/context'
import { toFailure } from '@outpost/platform/failures'
import { answerFailures } from '@outpost/platform/http/answer-failures'
import { addressLimit } from '@outpost/platform/http/create'
import { mergedInput } from '@outpost/platform/http/input'
import { openBody } from '@outpost/platform/http/json-body'
import type { FileStore } from '@outpost/platform/files/types'
import type { Counters } from '@outpost/platform/http/counters'
import type { Log } from '@outpost/platform/log'
import { wrongDeclarations } from './declared.ts'
import { addGeoProxy, isProxied } from './geo-client/proxy.ts'
import { sendAnswer } from './reply.ts'
import { requestInfoOf } from './request.ts'
import { resourceNamed } from './resource/define.ts'
import type { GuardFacts } from './session/guard.ts'
import { requireInPerson, requirePermission, requirePerson } from './session/permission.ts'
import type { Streams } from './streams.ts'
import type { AnyResource, Answer, Area, Ctx, Operation, PublicOperation, Route } from './types.ts'
import { namedRefusal } from './unstorable.ts'
import { withForm, type Form } from './uploads/form.ts'

export interface MountOptions {
  areas: readonly Area[]
  log: Log
  /** From a bearer token to a ctx: kernel/session/guard.ts. */
  openCtx: (facts: GuardFacts) => Promise<Ctx>
  /** Counts the calls of routes that have a limit of their own. */
  counters?: Pick<Counters, 'take'>
  /** Large answers that are under way. */
  streams: Streams
  /** Where files of forms are stored. */
  files: FileStore
  /** Tests look at each good answer before it is sent. */
  checkAnswer?: (route: Route, answer: Answer) => void
}

/**
 * Registers the routes of all areas: the only place that does. A call passes, in this order: session, permission,
 * input, transaction, run, reply; effects after commit belong to the transaction. Throws when an area is not sound.
 */
export async function mount(app: FastifyInstance, options: MountOptions): Promise<void> {
  const routes = options.areas.flatMap((area) => area.routes)
  assertSound(options.areas)
  await app.register(async (scope) => {
    answerFailures(scope, options.log)
    for (const route of routes.filter((one) => !one.options.upload && !one.options.raw && !isProxied(one))) register(scope, route, options)
    await addGeoProxy(scope, routes.filter(isProxied), {
      admit: (route, request) => admit(route, options, request),
      ...(options.checkAnswer ? { checkAnswer: options.checkAnswer } : {}),
    })
    await scope.register(async (raws) => {
      raws.removeAllContentTypeParsers()
      raws.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      for (const route of routes.filter((one) => one.options.raw)) register(raws, route, options)
    })
    await scope.register(async (uploads) => {
      await uploads.register(multipart, { throwFileSizeLimit: false })
      // A refused upload is read to its end and thrown away, or its connection would never carry another request.
      uploads.addHook('onResponse', async ({ raw }) => {
        if (!raw.complete) raw.unpipe().resume()
      })
      for (const route of routes.filter((one) => one.options.upload)) register(uploads, route, options)
    })
  })
}

function register(app: FastifyInstance, route: Route, options: MountOptions): void {
  const {
    method,
    path: url,
    options: { bodyLimit, upload, takesGzip = false, limit: most = 0 },
  } = route
  app.route({
    method,
    url,
    config: { isUpload: upload !== undefined, takesGzip, ...(most > addressLimit ? { rateLimit: false } : {}) },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: (request, reply) => answer(route, options, request, reply),
  })
}

async function answer(route: Route, options: MountOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { operation } = route
  if (isPublic(operation)) {
    const given = await answerPublic(route, operation, { options, request })
    options.checkAnswer?.(route, given)
    return sendAnswer(reply, given, (pieces) => options.streams.open(request.ip, pieces))
  }
  const ctx = await admit(route, options, request)
  await openBody(request)
  const isDirect = operation.isReadOnly || route.options.ownTransaction === true
  const given = await withForm(request, route.options.upload, {
    store: options.files,
    run: (form) => {
      const input = operation.input.parse(mergedInput(request, form?.fields))
      const run = (inner: Ctx): Promise<Answer> => operation.run(inner, input, requestInfoOf(request, options.files, form))
      return isDirect ? run(ctx) : repeatOnConflict(() => ctx.transaction(run))
    },
  }).catch((error: unknown) => {
    throw namedRefusal(error, mergedInput(request))
  })
  options.checkAnswer?.(route, given)
  return sendAnswer(reply, given, (pieces) => options.streams.open(ctx.user.id, pieces))
}

/** Who asks, when they may: session, permission, limits. */
async function admit(route: Route, options: MountOptions, request: FastifyRequest): Promise<Ctx> {
  const ctx = await options.openCtx(guardFacts(request, route, options))
  requirePermission(ctx, route.access)
  if (route.options.inPerson) requireInPerson(ctx)
  if (route.options.inPerson || route.options.peopleOnly) requirePerson(ctx)
  await limit(route, options, ctx.user.id, callsAMinute)
  return ctx
}

async function answerPublic(
  route: Route,
  operation: PublicOperation,
  { options, request }: { options: MountOptions; request: FastifyRequest },
): Promise<Answer> {
  try {
    await limit(route, options, request.ip)
    const run = (form?: Form) =>
      operation.run(operation.input.parse(mergedInput(request, form?.fields)), requestInfoOf(request, options.files, form))
    return await withForm(request, route.options.upload, { store: options.files, run })
  } catch (error) {
    if (!operation.refuse) throw error
    return operation.refuse(toFailure(error, options.log), request)
  }
}

const isPublic = (operation: Operation | PublicOperation): operation is PublicOperation => operation.kind === 'public'

function guardFacts(request: FastifyRequest, route: Route, { log }: MountOptions): GuardFacts {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    authorization: header('authorization'),
    tenantId: header('x-tenant-id'),
    requestId: request.id,
    ip: request.ip,
    log,
    method: request.method,
    path: route.path,
    beforePasswordChange: route.options.beforePasswordChange === true,
  }
}

/** Calls a user may make in a minute, beside the limits of single routes (security.md D11). */
const callsAMinute = 600

async function limit(route: Route, { counters }: MountOptions, caller: string, all?: number): Promise<void> {
  if (!counters) return
  const most = route.options.limit
  const isWithin =
    (all === undefined || (await counters.take(`user:${caller}`, all, 60_000))) &&
    (most === undefined || (await counters.take(`route:${route.name}:${caller}`, most, 60_000)))
  if (!isWithin) fail('TOO_MANY_REQUESTS')
}

/* ---------- what does not start ---------- */

function assertSound(areas: readonly Area[]): void {
  const routes = areas.flatMap((area) => area.routes)
  const wrong = [
    ...repeated(routes.map((route) => route.name)).map((name) => `route ${name} is declared twice`),
    ...repeated(routes.map((route) => `${route.method} ${route.path.replace(/\/$/, '').replace(/:\w+/g, ':')}`)).map(
      (call) => `${call} is mounted twice`,
    ),
    ...repeated(areas.flatMap((area) => area.resources.map((resource) => resource.one))).map((one) => `resource ${one} is declared twice`),
    ...wrongDeclarations(areas),
    ...routes.flatMap(wrongAccess),
    ...areas.flatMap((area) => area.resources).flatMap(danglingReferences),
    ...areas.flatMap((area) => area.resources).flatMap((resource) => wrongFiles(resource, routes)),
  ]
  if (wrong.length > 0) throw new Error(`Outpost does not start:\n  ${wrong.join('\n  ')}`)
}

const known = new Set<string>(permissionHierarchies)

function wrongAccess({ name, access, operation, options }: Route): string[] {
  // Areas are typed, but a route without access must never start, whatever a cast did.
  const declared = access as Route['access'] | undefined
  if (!declared) return [`route ${name} declares no access`]
  if ((declared.kind === 'public') !== isPublic(operation))
    return [`route ${name}: a public route takes a public operation, any other an operation with a ctx`]
  if (declared.kind === 'public' && options.takesGzip) return [`route ${name}: a stranger's body is not inflated`]
  if (declared.kind !== 'permission') return []
  if (declared.anyOf.length === 0) return [`route ${name} names no permission`]
  return declared.anyOf
    .filter((permission) => !known.has(permission))
    .map((permission) => `route ${name}: unknown permission ${permission}`)
}

function danglingReferences(resource: AnyResource): string[] {
  return Object.entries(resource.fields)
    .filter(([, { to }]) => to !== undefined && !resourceNamed(to))
    .map(([key, { to }]) => `${resource.one}.${key} refers to an unknown resource ${to}`)
}

/** Files of records come with their calls, and with records that are never gone for good. */
function wrongFiles({ one, keeps = [], isSoftDeleted, isScoped, belongings = [] }: AnyResource, routes: readonly Route[]): string[] {
  const hasCalls = routes.some(({ operation }) => operation.kind === 'files' && operation.resource?.one === one)
  // Stored files, which devices send by themselves, are given to a record by a call of its area.
  if (belongings.some(({ holdsFiles }) => holdsFiles)) return hasCalls ? [`${one} keeps stored files and so has no fileRoutes()`] : []
  if (keeps.includes('files') !== hasCalls) return [`${one} must both keep files and have fileRoutes()`]
  return hasCalls && !(isSoftDeleted && isScoped) ? [`${one} keeps files and so must be isScoped and isSoftDeleted`] : []
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
