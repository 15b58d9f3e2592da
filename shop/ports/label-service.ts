/** An address on a label. */
export interface LabelAddress {
  name: string;
  street1: string;
  street2?: string | undefined;
  city: string;
  state: string;
  zip: string;
  /** Two letters: US. */
  country: string;
  /** Some carriers refuse a package without the phone number of its sender or recipient. */
  phone?: string | undefined;
}

/** The weight in ounces, and the outer size in inches. */
export interface LabelParcel {
  weight: number;
  length: number;
  width: number;
  height: number;
}

/** The customs form of a package of merchandise from the United States to Canada. The sender certifies it. */
export interface LabelCustoms {
  /** What the package contains. */
  description: string;
  /** The number of pieces. */
  quantity: number;
  /** The value of one piece in US dollars. */
  valueCents: number;
  /** The weight of one piece in ounces. */
  weight: number;
  /** 6 to 10 digits; empty if the sender gave none. */
  hsTariffNumber: string;
  /** The country where the pieces are made, as two letters. */
  originCountry: string;
  /** The name of the person who certifies the form. */
  signer: string;
}

/** The price of one service of a carrier. */
export interface LabelRate {
  id: string;
  carrier: string;
  service: string;
  amountCents: number;
  /** Days in the mail, if the carrier says so. */
  days: number | undefined;
}

export interface LabelQuote {
  /** The id of the shipment at the service. Buying it twice is refused by the service. */
  shipmentId: string;
  /** Cheapest first. */
  rates: LabelRate[];
  /** What the service says about the address and about carriers without a price. */
  warnings: string[];
}

/** What the service knows about a shipment. */
export interface LabelShipment {
  /** Undefined: no label was bought. */
  label:
    | { carrier: string; service: string; amountCents: number; trackingNumber: string; trackerId: string | undefined }
    | undefined;
  /** The refund of the label: none was requested, the carrier has not decided yet, the money came back, or it will not. */
  refund: 'none' | 'pending' | 'refunded' | 'refused';
}

/** A call of the service about a package that was delivered. */
export interface DeliveredPackage {
  trackerId: string;
  shipmentId: string | undefined;
  deliveredAt: Date;
}

/** Sells shipping labels of carriers. Every call rejects with `LabelServiceError` if the service refuses or fails. */
export interface LabelService {
  /** Creates a shipment and reads its prices. Nothing is bought. */
  quote(from: LabelAddress, to: LabelAddress, parcel: LabelParcel, customs?: LabelCustoms): Promise<LabelQuote>;
  /** Buys the label of a shipment. A shipment that has a label is not bought again: its state is returned. */
  buy(shipmentId: string, rateId: string): Promise<LabelShipment>;
  find(shipmentId: string): Promise<LabelShipment>;
  /** Asks for the money of an unused label. */
  refund(shipmentId: string): Promise<LabelShipment>;
  /** Saves the label as PDF to `path`. */
  savePdf(shipmentId: string, path: string): Promise<void>;
  /** Saves the customs form as PDF to `path`. Returns false if the carrier has no separate form. */
  saveCustomsPdf(shipmentId: string, path: string): Promise<boolean>;
  /** Reads a call of the service. `other`: it is genuine, but not about a delivered package. */
  readWebhook(body: Buffer, headers: Record<string, unknown>): DeliveredPackage | 'other' | 'forged';
  /** Checks that the service accepts the key. */
  check(): Promise<void>;
}

/**
 * - `refused`: the service refused the call for the reason in `message`. Nothing was bought.
 * - `no-money`: the same, because the account has too little money.
 * - `busy`: the service did not process the call. It can be repeated later.
 * - `unsure`: the service did not respond, or failed. It may have processed the call.
 */
export type LabelFailure = 'refused' | 'no-money' | 'busy' | 'unsure';

export class LabelServiceError extends Error {
  override name = 'LabelServiceError';
  readonly failure: LabelFailure;
  constructor(failure: LabelFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
