/** The shop, the token and the invented people of the sample emails. */
import type { EmailContent, EmailShop } from '#contract/emails.ts';

/**
 * The content of a sample email, and the name that the preview shows for it. A kind of email has several samples if its
 * data changes it much.
 */
export interface EmailSample {
  name: string;
  content: EmailContent;
  posters?: string[];
}

export const sampleEmailShop: EmailShop = {
  name: 'Kinframe',
  baseUrl: 'https://kinframe.example',
  supportEmail: 'support@kinframe.example',
};
export const sampleLinkToken = '4fzyo82mXq0Lw3RsU7-vKc_19bTnEjHpAaGdQiWxZkY';
export const sampleAnna = {
  name: 'Anna Lindqvist',
  line1: '18 Harbor Street',
  line2: 'Apartment 4',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  country: 'US',
};
export const sampleBen = {
  name: 'Benoît Tremblay',
  line1: '2205 rue Sherbrooke',
  city: 'Montréal',
  state: 'QC',
  postalCode: 'H3H 1G5',
  country: 'CA',
};
