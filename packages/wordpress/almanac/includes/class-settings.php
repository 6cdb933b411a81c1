<?php
/**
 * The administrator's settings: one option, with every value sanitized before it is stored.
 *
 * @package Almanac
 */

namespace Almanac;

/** Read with `all()`; written by WordPress's settings API alone. */
final class Settings {
	const OPTION  = 'almanac_settings';
	const COLOURS = array( 'text', 'heading', 'background' );

	/** All settings; a missing value has its default. */
	public static function all(): array {
		$stored = get_option( self::OPTION );
		return array_merge(
			array(
				'url'        => '',
				'language'   => 'page',
				'keys'       => '',
				'text'       => '',
				'heading'    => '',
				'background' => '',
			),
			is_array( $stored ) ? $stored : array()
		);
	}

	/** The site's root with one slash at its end, or nothing. */
	public static function root(): string {
		return self::all()['url'];
	}

	/** The pinned keys as bare base64; none where signatures are not looked at. */
	public static function keys(): array {
		return preg_split( '/\s+/', self::all()['keys'], -1, PREG_SPLIT_NO_EMPTY );
	}

	/**
	 * A value that can't be taken leaves what was there, and says so on the page.
	 *
	 * @param mixed $given What the form sent.
	 */
	public static function sanitize( $given ): array {
		$given   = is_array( $given ) ? array_map( 'strval', array_filter( $given, 'is_scalar' ) ) : array();
		$sound   = self::all();
		$address = trim( $given['url'] ?? $sound['url'] );
		if ( '' === $address || self::is_allowed( $address ) ) {
			$sound['url'] = '' === $address ? '' : trailingslashit( sanitize_url( $address, array( 'http', 'https' ) ) );
		} else {
			self::complain( 'url', __( 'The address has to begin with https:// (http:// is for localhost alone), without a name, a password, a ? or a #.', 'almanac' ) );
		}
		$language = $given['language'] ?? $sound['language'];
		if ( preg_match( '/^(page|[a-z]{2,3})$/', $language ) ) {
			$sound['language'] = $language;
		}
		$keys = self::bare_keys( $given['keys'] ?? $sound['keys'] );
		if ( null === $keys ) {
			self::complain( 'keys', __( 'A key has to be an Ed25519 public key: the text that `openssl pkey -pubout` prints.', 'almanac' ) );
		} else {
			$sound['keys'] = implode( "\n", $keys );
		}
		return self::with_colours( $sound, $given );
	}

	private static function with_colours( array $sound, array $given ): array {
		foreach ( self::COLOURS as $name ) {
			$colour = trim( $given[ $name ] ?? $sound[ $name ] );
			if ( '' === $colour || null !== sanitize_hex_color( $colour ) ) {
				$sound[ $name ] = $colour;
			} else {
				self::complain( $name, __( 'A colour has to be written like #1d2327.', 'almanac' ) );
			}
		}
		return $sound;
	}

	/**
	 * Whether a site's root can be this.
	 *
	 * @param string $address As it was typed.
	 */
	public static function is_allowed( string $address ): bool {
		$parts = wp_parse_url( $address );
		$more  = array( 'user', 'pass', 'query', 'fragment' );
		return self::is_secure( $address ) && ! array_intersect( $more, array_keys( $parts ) );
	}

	/**
	 * Only https, but for this machine itself.
	 *
	 * @param string $address Of a site or a picture.
	 */
	public static function is_secure( string $address ): bool {
		$parts = wp_parse_url( $address );
		if ( ! is_array( $parts ) || empty( $parts['host'] ) || empty( $parts['scheme'] ) || sanitize_url( $address ) !== $address ) {
			return false;
		}
		$is_local = in_array( $parts['host'], array( 'localhost', '127.0.0.1', '[::1]' ), true );
		return 'https' === $parts['scheme'] || ( 'http' === $parts['scheme'] && $is_local );
	}

	/** Parses PEM texts or bare lines; null if one is no key. */
	private static function bare_keys( string $text ): ?array {
		$text = preg_replace_callback(
			'/-----BEGIN PUBLIC KEY-----(.*?)-----END PUBLIC KEY-----/s',
			static function ( array $found ): string {
				return "\n" . preg_replace( '/\s+/', '', $found[1] ) . "\n";
			},
			$text
		);
		$keys = preg_split( '/\s+/', $text, -1, PREG_SPLIT_NO_EMPTY );
		foreach ( $keys as $key ) {
			if ( null === Signature::raw_key( $key ) ) {
				return null;
			}
		}
		return $keys;
	}

	private static function complain( string $field, string $message ): void {
		add_settings_error( self::OPTION, $field, $message );
	}
}
