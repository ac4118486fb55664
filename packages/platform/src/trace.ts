import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type SpanContext,
} from '@opentelemetry/api'

export interface SpanOptions {
  kind?: 'client' | 'job'
  /** Where it continues: the W3C traceparent of another process; default: whatever runs now. Null begins a trace of its own. */
  parent?: string | null
  /** Names and ids only, never what somebody wrote. */
  attributes?: Attributes
}

/**
 * Runs something as a span of its own. Without a collector (addTracing) nothing is measured and run is simply called. An error marks the span; its
 * words stay in the log.
 */
export async function inSpan<Result>(
  name: string,
  { kind, parent, attributes = {} }: SpanOptions,
  run: () => Promise<Result>,
): Promise<Result> {
  const given = typeof parent === 'string' ? readParent(parent) : undefined
  const from = parent === undefined ? context.active() : given ? trace.setSpanContext(ROOT_CONTEXT, given) : ROOT_CONTEXT
  const span = trace
    .getTracer('outpost')
    .startSpan(name, { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.CONSUMER, attributes }, from)
  try {
    return await context.with(trace.setSpan(from, span), run)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** The traceparent of what runs now; undefined where nothing is traced. */
export function traceparent(): string | undefined {
  const now = trace.getActiveSpan()?.spanContext()
  if (!now || !isSpanContextValid(now)) return undefined
  return `00-${now.traceId}-${now.spanId}-${(now.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
}

function readParent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(read) ? read : undefined
}
