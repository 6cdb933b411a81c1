<?php
/**
 * The pointer's signature: Ed25519 over its canonical bytes without the signature. WordPress itself brings sodium to PHPs
 * that lack it.
 *
 * @package Almanac
 */

namespace Almanac;

/** Finds the pinned key that signed a pointer. */
final class Signature {
	/** Prefix of the 32 bytes of every Ed25519 public key in DER form. */
	const PREFIX = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";

	/**
	 * The key that signed it, or null.
	 *
	 * @param array    $pointer The pointer's fields.
	 * @param string[] $keys    Bare base64.
	 */
	public static function signer_of( array $pointer, array $keys ): ?string {
		$signature = self::bytes( $pointer['signature'] ?? null, SODIUM_CRYPTO_SIGN_BYTES );
		unset( $pointer['signature'] );
		$signed = self::canonical( $pointer );
		foreach ( null === $signature ? array() : $keys as $key ) {
			$raw = self::raw_key( $key );
			if ( null !== $raw && sodium_crypto_sign_verify_detached( $signature, $signed, $raw ) ) {
				return $key;
			}
		}
		return null;
	}

	/** The 32 bytes of a key, or null where it is none. */
	public static function raw_key( string $key ): ?string {
		$bytes = self::bytes( $key, strlen( self::PREFIX ) + SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES );
		$is    = null !== $bytes && 0 === strpos( $bytes, self::PREFIX );
		return $is ? substr( $bytes, strlen( self::PREFIX ) ) : null;
	}

	/**
	 * Fields in order, as they are signed. A pointer has no objects within and no fractions, so PHP writes what JavaScript does.
	 *
	 * @param array $fields By name.
	 */
	private static function canonical( array $fields ): string {
		ksort( $fields, SORT_STRING );
		return (string) wp_json_encode( $fields, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS );
	}

	/**
	 * The bytes behind base64, if they are as many as they should be.
	 *
	 * @param mixed $text   Perhaps base64.
	 * @param int   $length Of the bytes.
	 */
	private static function bytes( $text, int $length ): ?string {
		// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- a key and a signature, no code.
		$bytes = is_string( $text ) ? base64_decode( $text, true ) : false;
		return is_string( $bytes ) && strlen( $bytes ) === $length ? $bytes : null;
	}
}
