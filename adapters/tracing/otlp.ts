import { setTimeout as wait } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  ExportResultCode,
  parseTraceParent,
  TRACE_PARENT_HEADER,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Tracing, SpanOptions } from '#shop/ports/tracing.ts';

export interface OtlpSettings {
  /** The collector's URL, without the path for traces. */
  endpoint: string;
  headers: Record<string, string>;
  /** Attributes of this process, such as `{ 'service.name': 'kinframe' }`. */
  process: Record<string, string>;
  /** Called when traces could not be sent, at most once a minute. */
  onTrouble: (error: Error) => void;
}

const kinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} satisfies Record<SpanOptions['kind'], SpanKind>;

const sendEveryMs = 2_000;
const sendTimeoutMs = 5_000;
/** Maximum time that stopping the process waits for traces. */
const closeTimeoutMs = 1_000;
const reportIntervalMs = 60_000;

/**
 * Sends traces to a collector by OTLP over HTTP. Nothing waits for the collector: spans are sent in batches from a
 * bounded queue, and dropped when it is full. There is no global state: two shops in one process have separate traces.
 */
export function openOtlpTracing({ endpoint, headers, process, onTrouble }: OtlpSettings): Tracing {
  const exporter = new OTLPTraceExporter({ url: tracesEndpointOf(endpoint), headers, timeoutMillis: sendTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(process),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withErrorReports(exporter, onTrouble),
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: 2 * sendTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('kinframe');
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();

  function createParentContext(of: SpanOptions['of']): Context {
    if (of === undefined) return contexts.active();
    const parent = of === 'nothing' ? null : parseTraceParent(of.carried);
    return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
  }

  return {
    begin({ name, kind, facts = {}, of }) {
      const parent = createParentContext(of);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, parent);
      const spanContext = trace.setSpan(parent, span);
      return {
        run: (it) => contexts.with(spanContext, it),
        end({ facts: more = {}, error } = {}) {
          span.setAttributes(more);
          // The error message may contain customer data: addresses, links, request content. Only its type is recorded.
          if (error !== undefined)
            span.setAttribute('error.type', getErrorType(error)).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    isUnderWay: () => trace.getSpan(contexts.active()) !== undefined,
    traceHeadersToSend() {
      const carrier: Record<string, string> = {};
      propagator.inject(contexts.active(), carrier, {
        set: (it: typeof carrier, key, value) => void (it[key] = value),
      });
      return carrier[TRACE_PARENT_HEADER];
    },
    check: () =>
      new Promise((resolve, reject) => {
        exporter.export([], ({ code, error }) => {
          if (code === ExportResultCode.SUCCESS) resolve();
          else reject(error ?? new Error('the collector of traces did not take them'));
        });
      }),
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), wait(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** OpenTelemetry specifies that `/v1/traces` is appended to the path of the endpoint. */
function tracesEndpointOf(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

/** The error's code, such as `ECONNREFUSED` or `23505`, its name if it has no code, or the status of a response. */
function getErrorType(error: unknown): string {
  if (typeof error === 'number') return String(error);
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

function withErrorReports(exporter: SpanExporter, onTrouble: (error: Error) => void): SpanExporter {
  let reportedAt = -Infinity;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS && performance.now() - reportedAt > reportIntervalMs) {
          reportedAt = performance.now();
          onTrouble(result.error ?? new Error('the collector did not take them'));
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
