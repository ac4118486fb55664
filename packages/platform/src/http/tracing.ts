import { setTimeout as wait } from 'node:timers/promises'
import { context, propagation, trace } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance } from 'fastify'

export interface TraceOptions {
  /** Base address of an OpenTelemetry collector (OTLP over HTTP); without it nothing is loaded and nothing traced. */
  endpoint?: string | undefined
  /** The name under which the spans appear. */
  service: string
}

/** How long spans that wait may take on their way out at the end. */
const lastMs = 2_000

/**
 * Traces the requests of an instance; call it before routes are registered. Addresses may hold secrets (legacy refresh, links), so a span says the
 * pattern of the route alone; a request of one of our own programs (isInside) continues its trace; texts of errors stay in the log, which its request id leads to.
 */
export async function addTracing(app: FastifyInstance, { endpoint, service }: TraceOptions, { isInside = false } = {}): Promise<void> {
  if (endpoint === undefined) return
  const [{ FastifyOtelInstrumentation }, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@fastify/otel'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = withoutWords(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: 5_000 }))
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 })],
  })
  // The process has one place for it; with more instances in it, the first one has it.
  const isFirst = trace.setGlobalTracerProvider(provider)
  if (isFirst) provider.register()
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    requestHook: (span, request) => {
      span.setAttribute('url.path', request.routeOptions.url ?? '(unknown)')
      span.setAttribute('request.id', request.id)
    },
  })
  instrumentation.setTracerProvider(provider)
  // Who asks from outside decides neither whether their request is traced nor in whose trace it appears.
  if (!isInside)
    app.addHook('onRequest', (request, _reply, done) => {
      delete request.headers.traceparent
      delete request.headers.tracestate
      done()
    })
  await app.register(instrumentation.plugin())
  app.addHook('onClose', async () => {
    // After this, nothing that still runs in the process is traced.
    if (isFirst) for (const part of [trace, context, propagation]) part.disable()
    // What waits is sent; a collector that is away does not hold up the end.
    await Promise.race([provider.shutdown().catch(() => undefined), wait(lastMs, undefined, { ref: false })])
  })
}

/** Hands spans on without the words of their errors: these may hold what somebody wrote. */
function withoutWords(exporter: SpanExporter): SpanExporter {
  const quiet = (span: ReadableSpan): ReadableSpan => Object.create(span, { status: { value: { code: span.status.code } } }) as ReadableSpan
  return {
    export: (spans, done) => exporter.export(spans.map(quiet), done),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
