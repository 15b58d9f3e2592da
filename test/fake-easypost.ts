import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeShipment {
  id: string;
  rates: {
    id: string;
    carrier: string;
    service: string;
    rate: string;
    currency: string;
    delivery_days: number | null;
  }[];
  to: object;
  from: object;
  parcel: unknown;
  customs: unknown;
  boughtRate?: string;
  refundStatus?: string;
}

export interface FakeEasyPost {
  apiBase: string;
  /** The origin in the URLs of labels. */
  filesOrigin: string;
  apiKey: string;
  webhookSecret: string;
  shipments: Map<string, FakeShipment>;
  /** Every call: `POST /shipments/shp_1/buy`. */
  calls: string[];
  /** The bodies of calls that create addresses and shipments. */
  bodies: unknown[];
  /** How many labels were paid for. */
  purchases: number;
  /** The refund status of the next refund requests. */
  refundStatus: string;
  /** What the service says about a recipient's address; empty if it can be delivered. */
  addressProblem: string;
  /** The country of each address that was created, by its id. */
  countries: Map<string, string>;
  /** What carriers say about the customs form of the next shipments. Carriers with a problem have no prices. */
  customsProblem: string;
  /**
   * Changes the response to the next call that contains `call`. `lost`: the call is processed, and its response is cut.
   * `nothing`: the call gets no response. A file whose path contains `call` is cut.
   */
  trouble: { call: string; answer: SimulatedFailure }[];
  /** Waits before a purchase is made. */
  beforePurchase: () => Promise<void>;
  sign(body: string): Record<string, string>;
  /** The body of a tracker's event. */
  trackerEvent(shipmentId: string, status: string, at?: Date): string;
  close(): void;
}
type SimulatedFailure = 'lost' | 'nothing' | 'html' | { status: number; code: string; message: string };

export const fakeCustomsPdf = Buffer.from('%PDF-1.4\n% a customs form of the fake\n%%EOF\n');
export const fakePdf = Buffer.from('%PDF-1.4\n% a label of the fake\n%%EOF\n');

/** A local server with the documented HTTP API of EasyPost, including its failures. */
export async function startFakeEasyPost(): Promise<FakeEasyPost> {
  const fake: FakeEasyPost = {
    apiBase: '',
    filesOrigin: '',
    apiKey: 'EZTKtest0123456789',
    webhookSecret: 'a-secret-of-the-label-service',
    shipments: new Map(),
    calls: [],
    bodies: [],
    purchases: 0,
    refundStatus: 'submitted',
    addressProblem: '',
    countries: new Map(),
    customsProblem: '',
    trouble: [],
    beforePurchase: async () => {},
    sign(body) {
      const digest = createHmac('sha256', fake.webhookSecret.normalize('NFKD')).update(body).digest('hex');
      return { 'x-hmac-signature': `hmac-sha256-hex=${digest}`, 'content-type': 'application/json' };
    },
    trackerEvent: (shipmentId, status, at = new Date()) =>
      JSON.stringify({
        id: `evt_${fake.calls.length}`,
        object: 'Event',
        mode: 'test',
        description: 'tracker.updated',
        status: 'pending',
        result: {
          id: toTrackerId(shipmentId),
          object: 'Tracker',
          tracking_code: trackingCodeOf(shipmentId),
          status,
          shipment_id: shipmentId,
          updated_at: at.toISOString(),
          tracking_details: [
            {
              object: 'TrackingDetail',
              status: 'in_transit',
              datetime: new Date(at.getTime() - 86_400_000).toISOString(),
            },
            { object: 'TrackingDetail', status, datetime: at.toISOString() },
          ],
        },
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    answerRequest(fake, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  fake.apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.filesOrigin = fake.apiBase;
  return fake;
}

const toTrackerId = (shipmentId: string) => shipmentId.replace('shp', 'trk');
const trackingCodeOf = (shipmentId: string) => `940550020830310988${shipmentId.replace(/\D/g, '').padStart(4, '0')}`;

async function answerRequest(fake: FakeEasyPost, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', fake.apiBase);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (url.pathname.startsWith('/files/')) {
    const brokenFile = fake.trouble.findIndex((it) => url.pathname.includes(it.call));
    if (brokenFile !== -1) {
      fake.trouble.splice(brokenFile, 1);
      return response.destroy();
    }
    response.writeHead(200, { 'content-type': 'application/pdf' });
    return response.end(url.pathname.includes('invoice') ? fakeCustomsPdf : fakePdf);
  }
  const path = url.pathname.replace(/^\/v2/, '');
  const requestLine = `${request.method} ${path}`;
  fake.calls.push(requestLine);
  const troubleIndex = fake.trouble.findIndex((it) => requestLine.includes(it.call));
  const [trouble] = troubleIndex === -1 ? [] : fake.trouble.splice(troubleIndex, 1);
  const sendJson = (status: number, json: unknown) => {
    if (trouble?.answer === 'lost') return response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  };
  const sendError = (status: number, code: string, message: string) =>
    sendJson(status, { error: { code, message, errors: [] } });
  if (trouble?.answer === 'nothing') return;
  if (trouble?.answer === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' });
    return response.end('<h1>Bad Gateway</h1>');
  }
  if (typeof trouble?.answer === 'object') {
    const { status, code, message } = trouble.answer;
    return sendError(status, code, message);
  }
  if (request.headers.authorization !== `Basic ${Buffer.from(`${fake.apiKey}:`).toString('base64')}`)
    return sendError(401, 'UNAUTHORIZED', 'This api key is no longer active.');
  const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, object>) : {};
  if (requestLine === 'GET /addresses') return sendJson(200, { addresses: [], has_more: false });
  if (requestLine === 'POST /addresses') {
    fake.bodies.push(body);
    const { addressProblem } = fake;
    const errors = addressProblem ? [{ code: 'E.ADDRESS.NOT_FOUND', field: 'address', message: addressProblem }] : [];
    const id = `adr_${fake.calls.length}`;
    fake.countries.set(id, (body['address'] as { country: string }).country);
    return sendJson(201, {
      id,
      object: 'Address',
      ...body['address'],
      verifications: { delivery: { success: errors.length === 0, errors, details: null } },
    });
  }
  if (requestLine === 'POST /shipments') {
    fake.bodies.push(body);
    const shipment = body['shipment'] as Pick<FakeShipment, 'parcel'> &
      Record<'to_address' | 'from_address', object> & { customs_info?: unknown };
    const isAbroad = fake.countries.get((shipment.to_address as { id: string }).id) !== 'US';
    if (isAbroad && !shipment.customs_info)
      return sendError(422, 'SHIPMENT.CUSTOMS_INFO.REQUIRED', 'Customs info is required for this shipment.');
    const id = `shp_${fake.shipments.size + 1}`;
    const createRate = (name: string, carrier: string, service: string, price: string, days: number | null) => ({
      id: `rate_${name}_${id}`,
      object: 'Rate',
      carrier,
      service,
      rate: price,
      currency: 'USD',
      delivery_days: days,
    });
    fake.shipments.set(id, {
      id,
      to: shipment.to_address,
      from: shipment.from_address,
      parcel: shipment.parcel,
      customs: shipment.customs_info ?? null,
      rates:
        fake.customsProblem && isAbroad
          ? []
          : [
              createRate('priority', 'USPS', 'Priority', '12.85', 2),
              createRate('ground', 'USPS', 'GroundAdvantage', '8.25', 3),
              createRate('ups', 'UPSDAP', 'Ground', '10.40000', null),
            ],
    });
    return sendJson(201, viewOf(fake, id));
  }
  const [, id = '', act] = /^\/shipments\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const shipment = fake.shipments.get(id);
  if (!shipment) return sendError(404, 'NOT_FOUND', 'The requested resource could not be found.');
  if (act === 'buy') {
    await fake.beforePurchase();
    if (shipment.boughtRate)
      return sendError(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.');
    const rateId = body['rate'] && 'id' in body['rate'] ? body['rate'].id : undefined;
    if (!shipment.rates.some((it) => it.id === rateId)) return sendError(422, 'RATE.INVALID', 'The rate is unknown.');
    shipment.boughtRate = String(rateId);
    fake.purchases += 1;
  }
  if (act === 'refund') {
    if (!shipment.boughtRate) return sendError(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'The shipment has no label.');
    shipment.refundStatus = fake.refundStatus;
  }
  sendJson(200, viewOf(fake, id));
}

function viewOf(fake: FakeEasyPost, id: string) {
  const shipment = fake.shipments.get(id)!;
  const isBought = shipment.boughtRate !== undefined;
  return {
    id,
    object: 'Shipment',
    mode: 'test',
    to_address: shipment.to,
    from_address: shipment.from,
    parcel: shipment.parcel,
    rates: shipment.rates,
    customs_info: shipment.customs,
    messages: [
      ...(fake.customsProblem && shipment.customs
        ? [{ carrier: 'USPS', type: 'rate_error', message: fake.customsProblem }]
        : []),
      { carrier: 'FedEx', type: 'rate_error', message: 'No account' },
    ],
    // USPS prints the customs form on its label. The other carriers of the fake have an invoice of their own.
    forms:
      isBought && shipment.customs && !shipment.boughtRate?.includes('ground')
        ? [
            {
              id: `form_${id}`,
              object: 'Form',
              form_type: 'commercial_invoice',
              form_url: `${fake.filesOrigin}/files/invoice-${id}.pdf`,
              submitted_electronically: false,
            },
          ]
        : [],
    selected_rate: shipment.rates.find((it) => it.id === shipment.boughtRate) ?? null,
    postage_label: isBought
      ? {
          id: `pl_${id}`,
          object: 'PostageLabel',
          label_url: `${fake.filesOrigin}/files/${id}.pdf`,
          label_pdf_url: null,
          label_file_type: 'application/pdf',
        }
      : null,
    tracking_code: isBought ? trackingCodeOf(id) : null,
    tracker: isBought ? { id: toTrackerId(id), object: 'Tracker', status: 'unknown' } : null,
    refund_status: shipment.refundStatus ?? null,
  };
}
