/** The part of the Khronos glTF validator that the tests use; the package ships no types. */
declare module 'gltf-validator' {
  export function validateBytes(
    bytes: Uint8Array,
  ): Promise<{ issues: { numErrors: number; numWarnings: number; messages: unknown[] }; info: object }>;
}
