/** Shipping labels of EasyPost, through its official SDK. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import EasyPost from '@easypost/api';
import * as z from 'zod';
import {
  LabelServiceError,
  type LabelAddress,
  type LabelCustoms,
  type LabelService,
  type LabelShipment,
} from '#shop/ports/label-service.ts';
import { isPublicHost, lookUpPublicAddress } from '../network/public-address.ts';

export interface EasyPostSettings {
  apiKey: string;
  /** The origin of another server with EasyPost's API. */
  apiBase: string | undefined;
  /** Signs EasyPost's calls. Undefined: no call is genuine. */
  webhookSecret: string | undefined;
  /** For tests. */
  timeoutMs?: number;
}

const ownBase = 'https://api.easypost.com/v2/';
/** Carriers answer slowly while a label is bought. */
const defaultTimeoutMs = 30_000;
const mostResponseBytes = 2_000_000;
const mostPdfBytes = 5_000_000;

/** The part of superagent's request that `requestMiddleware` of the SDK changes. */
interface SdkRequest {
  timeout(limits: { response: number; deadline: number }): SdkRequest;
  redirects(most: number): SdkRequest;
  maxResponseSize(bytes: number): SdkRequest;
}

export function createEasyPost({
  apiKey,
  apiBase,
  webhookSecret,
  timeoutMs = defaultTimeoutMs,
}: EasyPostSettings): LabelService {
  const baseUrl = apiBase === undefined ? ownBase : baseUrlOf(apiBase);
  const client = new EasyPost(apiKey, {
    baseUrl,
    // The SDK does not apply its own `timeout` option.
    requestMiddleware: (request: SdkRequest) =>
      request.timeout({ response: timeoutMs, deadline: timeoutMs }).redirects(0).maxResponseSize(mostResponseBytes),
  });
  // The types of the SDK declare the functions of `Utils` as static. They are methods of its instance.
  const utils = client.Utils as unknown as {
    validateWebhook(body: Buffer, headers: object, secret: string): unknown;
  };

  async function findShipment(shipmentId: string): Promise<LabelShipment> {
    return parseShipment(await callEasyPost(() => client.Shipment.retrieve(shipmentId)));
  }

  return {
    async quote(from, to, parcel, customs) {
      const address = await callEasyPost(() => client.Address.create({ ...toEasyPostAddress(to), verify: true }));
      const verifiedResponse = parseResponse(VerifiedAddress, address);
      const shipment = parseResponse(
        QuotedShipment,
        await callEasyPost(() =>
          client.Shipment.create({
            to_address: { id: verifiedResponse.id },
            from_address: toEasyPostAddress(from),
            parcel,
            ...(customs && { customs_info: customsInfoOf(customs) }),
            options: { label_format: 'PDF', label_size: '4x6' },
          }),
        ),
      );
      const delivery = verifiedResponse.verifications?.delivery;
      const undeliverableReasons = delivery?.success === false ? (delivery.errors ?? []).map((it) => it.message) : [];
      return {
        shipmentId: shipment.id,
        rates: shipment.rates
          .filter((it) => it.currency === 'USD')
          .map((it) => ({
            id: it.id,
            carrier: carrierNameOf(it.carrier),
            service: serviceNameOf(it.service),
            amountCents: toCents(it.rate),
            days: it.delivery_days ?? undefined,
          }))
          .toSorted((a, b) => a.amountCents - b.amountCents),
        warnings: [
          ...undeliverableReasons,
          ...(shipment.messages ?? []).map(({ carrier, message }) => (carrier ? `${carrier}: ${message}` : message)),
        ].map((it) => it.slice(0, 300)),
      };
    },

    async buy(shipmentId, rateId) {
      try {
        return parseShipment(await callEasyPost(() => client.Shipment.buy(shipmentId, rateId)));
      } catch (error) {
        if (getErrorCode(error) !== 'SHIPMENT.POSTAGE.EXISTS') throw error;
        return findShipment(shipmentId);
      }
    },

    find: findShipment,

    async refund(shipmentId) {
      return parseShipment(await callEasyPost(() => client.Shipment.refund(shipmentId)));
    },

    async savePdf(shipmentId, path) {
      const label = parseResponse(
        ShipmentWithLabel,
        await callEasyPost(() => client.Shipment.retrieve(shipmentId)),
      ).postage_label;
      const url = label?.label_pdf_url ?? (label?.label_file_type === 'application/pdf' ? label.label_url : undefined);
      if (url) return savePdfFrom(url, path, { origin: new URL(baseUrl).origin, timeoutMs });
      const convertedLabel = parseResponse(
        ShipmentWithLabel,
        await callEasyPost(() => client.Shipment.convertLabelFormat(shipmentId, 'PDF')),
      );
      const convertedPdfUrl = convertedLabel.postage_label?.label_pdf_url ?? convertedLabel.postage_label?.label_url;
      if (!convertedPdfUrl) throw new LabelServiceError('unsure', 'EasyPost named no address of the label.');
      return savePdfFrom(convertedPdfUrl, path, { origin: new URL(baseUrl).origin, timeoutMs });
    },

    async saveCustomsPdf(shipmentId, path) {
      const shipment = await callEasyPost(() => client.Shipment.retrieve(shipmentId));
      const forms = parseResponse(ShipmentWithForms, shipment).forms ?? [];
      const form = forms.find((it) => it.form_type === 'commercial_invoice');
      if (!form) return false;
      await savePdfFrom(form.form_url, path, { origin: new URL(baseUrl).origin, timeoutMs });
      return true;
    },

    readWebhook(body, headers) {
      if (webhookSecret === undefined || typeof headers['x-hmac-signature'] !== 'string') return 'forged';
      let event: unknown;
      try {
        event = utils.validateWebhook(body, headers, webhookSecret);
      } catch {
        return 'forged';
      }
      const { data } = TrackerEvent.safeParse(event);
      if (!data || data.result.status !== 'delivered') return 'other';
      const { id, shipment_id: shipmentId, tracking_details: details, updated_at: updatedAt } = data.result;
      const deliveredAt = details?.findLast((it) => it.status === 'delivered')?.datetime ?? updatedAt;
      const time = deliveredAt ? Date.parse(deliveredAt) : NaN;
      return {
        trackerId: id,
        shipmentId: shipmentId ?? undefined,
        deliveredAt: Number.isNaN(time) ? new Date() : new Date(time),
      };
    },

    async check() {
      await callEasyPost(() => client.Address.all({ page_size: 1 }));
    },
  };
}

/** Accepts an origin, and the address of the API itself. */
function baseUrlOf(apiBase: string): string {
  const url = new URL(apiBase);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v2') ? path : `${path}/v2`}/`;
}

const toEasyPostAddress = ({ name, street1, street2, city, state, zip, country, phone }: LabelAddress) => ({
  name,
  street1,
  ...(street2 && { street2 }),
  city,
  state,
  zip,
  country,
  ...(phone && { phone }),
});

/** EasyPost expects the value and the weight of all pieces together, not of one. */
const customsInfoOf = (it: LabelCustoms) => ({
  contents_type: 'merchandise',
  contents_explanation: it.description,
  restriction_type: 'none' as const,
  non_delivery_option: 'return' as const,
  // The exemption from export filing for packages to Canada, whatever their value (15 CFR 30.36).
  eel_pfc: 'NOEEI 30.36',
  customs_certify: true,
  customs_signer: it.signer,
  customs_items: [
    {
      description: it.description,
      quantity: it.quantity,
      value: (it.valueCents * it.quantity) / 100,
      currency: 'USD',
      weight: Number((it.weight * it.quantity).toFixed(1)),
      origin_country: it.originCountry,
      ...(it.hsTariffNumber && { hs_tariff_number: it.hsTariffNumber }),
    },
  ],
});

/** The names of carriers as the shop shows them. EasyPost adds its own contracts: UPSDAP, FedExDefault. */
const carrierNameOf = (carrier: string): string =>
  /^CanadaPost/i.test(carrier) ? 'Canada Post' : (/^(USPS|UPS|FedEx)(?![a-z])/.exec(carrier)?.[1] ?? carrier);
/** GroundAdvantage, FEDEX_GROUND → Ground Advantage, FEDEX GROUND */
const serviceNameOf = (service: string): string => service.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2');

const toCents = (dollars: string) => Math.round(Number(dollars) * 100);
const text = z.string().min(1).max(200);
/** The id of an object becomes a part of the path of later calls. */
const objectId = z.string().regex(/^[\w-]{1,100}$/);
const dollars = z.string().regex(/^\d{1,6}(\.\d{1,5})?$/);

const VerifiedAddress = z.object({
  id: objectId,
  verifications: z
    .object({
      delivery: z
        .object({ success: z.boolean(), errors: z.array(z.object({ message: z.string() })).nullish() })
        .nullish(),
    })
    .nullish(),
});
const Rate = z.object({
  id: objectId,
  carrier: text,
  service: text,
  rate: dollars,
  currency: z.string(),
  delivery_days: z.int().nullish(),
});
const QuotedShipment = z.object({
  id: objectId,
  rates: z.array(Rate).max(200),
  messages: z.array(z.object({ carrier: z.string().nullish(), message: z.string() })).nullish(),
});
const BoughtShipment = z.object({
  selected_rate: Rate.nullish(),
  postage_label: z.object({ id: objectId }).nullish(),
  tracking_code: z.string().max(100).nullish(),
  tracker: z.object({ id: objectId }).nullish(),
  refund_status: z.string().nullish(),
});
const ShipmentWithLabel = z.object({
  postage_label: z
    .object({
      label_url: z.string().nullish(),
      label_pdf_url: z.string().nullish(),
      label_file_type: z.string().nullish(),
    })
    .nullish(),
});
const ShipmentWithForms = z.object({
  forms: z
    .array(z.object({ form_type: z.string(), form_url: z.string() }))
    .max(50)
    .nullish(),
});
const TrackerEvent = z.object({
  description: z.enum(['tracker.created', 'tracker.updated']),
  result: z.object({
    id: objectId,
    status: z.string(),
    shipment_id: z.string().nullish(),
    updated_at: z.string().nullish(),
    tracking_details: z.array(z.object({ status: z.string().nullish(), datetime: z.string().nullish() })).nullish(),
  }),
});

const refunds: Record<string, LabelShipment['refund']> = {
  submitted: 'pending',
  refunded: 'refunded',
  rejected: 'refused',
  not_applicable: 'refused',
};

function parseShipment(value: unknown): LabelShipment {
  const {
    selected_rate: rate,
    postage_label: label,
    tracking_code: number,
    tracker,
    refund_status,
  } = parseResponse(BoughtShipment, value);
  return {
    label:
      label && rate && number
        ? {
            carrier: carrierNameOf(rate.carrier),
            service: serviceNameOf(rate.service),
            amountCents: toCents(rate.rate),
            trackingNumber: number,
            trackerId: tracker?.id,
          }
        : undefined,
    refund: refunds[refund_status ?? ''] ?? 'none',
  };
}

function parseResponse<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (data === undefined)
    throw new LabelServiceError('unsure', 'The response of EasyPost could not be read.', { cause: error });
  return data;
}

/** Errors after which EasyPost or the carrier may still have made the label. */
const unsureCodes = /TIMED_?OUT|NO_RESPONSE|IN_PROGRESS|POSTAGE\.EXISTS/;

const getErrorCode = (error: unknown): string => {
  const { cause } = error as Error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
};

/** Calls the SDK. The message of an error is EasyPost's own text, for the owner. */
async function callEasyPost<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const cause = error as { statusCode?: unknown; code?: unknown; message?: unknown };
    const status = typeof cause.statusCode === 'number' ? cause.statusCode : 0;
    const errorText = (typeof cause.message === 'string' ? cause.message : '').trim().slice(0, 300);
    const code = typeof cause.code === 'string' ? cause.code : '';
    const classifyFailure = (): LabelServiceError['failure'] => {
      if (status === 429) return 'busy';
      if (status < 400 || status >= 500 || status === 408 || status === 409 || unsureCodes.test(code)) return 'unsure';
      return status === 402 ? 'no-money' : 'refused';
    };
    const reason =
      status === 401 || status === 403
        ? 'EasyPost did not accept the key of this shop'
        : errorText || `status ${status}`;
    throw new LabelServiceError(classifyFailure(), reason.replace(/[.\s]*$/, ''), { cause: error });
  }
}

/**
 * Saves a label or a form. Its URL must be https on the public network, or on the origin of the API. Rejects with
 * LabelServiceError; then no file is left at `path`.
 */
async function savePdfFrom(
  url: string,
  path: string,
  { origin, timeoutMs }: { origin: string; timeoutMs: number },
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await openPdf(url, origin, signal);
    await pipeline(response, createPdfCheck(), createWriteStream(path), { signal });
  } catch (error) {
    await rm(path, { force: true });
    throw new LabelServiceError('unsure', 'The label could not be fetched from EasyPost.', { cause: error });
  }
}

async function openPdf(url: string, origin: string, signal: AbortSignal): Promise<IncomingMessage> {
  const address = new URL(url);
  const isOwn = address.origin === origin;
  if (!isOwn && !(address.protocol === 'https:' && isPublicHost(address.hostname)))
    throw new Error('the label is not on the public network');
  const sendGetRequest = address.protocol === 'https:' ? getHttps : getHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sendGetRequest(address, { signal, ...(!isOwn && { lookup: lookUpPublicAddress }) }, resolve).on('error', reject);
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`the label answered ${response.statusCode}`);
}

/** Passes a PDF on. Fails if the file is something else, or too large. */
function createPdfCheck(): Transform {
  let taken = 0;
  let head = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      if (taken > mostPdfBytes) return done(new Error('the label is too large'));
      if (head.length < 5) {
        head = Buffer.concat([head, chunk.subarray(0, 5)]).subarray(0, 5);
        if (!'%PDF-'.startsWith(head.toString('latin1'))) return done(new Error('the label is not a PDF'));
      }
      done(null, chunk);
    },
    flush(done) {
      done(head.length < 5 ? new Error('the label is empty') : null);
    },
  });
}
