<?php
/**
 * A reading as HTML in the theme's own styles: headings, paragraphs, lists of names and values. Every word of it is escaped
 * where it is printed.
 *
 * @package Almanac
 */

namespace Almanac;

/** The only style is the colours that an administrator chose, as custom properties. */
final class Markup {
	/**
	 * A reading with its title.
	 *
	 * @param array  $data     The document with its `reading`.
	 * @param array  $words    Of its language.
	 * @param string $language Of the text.
	 * @param array  $options  `level` of the title, `sections`, `pictures`, `title`.
	 */
	public static function of( array $data, array $words, string $language, array $options ): string {
		$reading = is_array( $data['reading'] ?? null ) ? $data['reading'] : array();
		$level   = $options['level'];
		$parts   = array();
		if ( $options['title'] ) {
			$title   = self::title( $reading, $words );
			$parts[] = self::heading( $level, $title );
			$parts[] = self::date( $reading, $language );
			$level   = '' === $title ? $level : min( 6, $level + 1 );
		}
		foreach ( Sections::of( $reading, $words, $options['sections'] ) as $section ) {
			$parts[] = self::section( $section, $level, $options['pictures'] );
		}
		return implode( "\n", array_filter( $parts ) );
	}

	/** The chosen colours, for the element around a text. */
	public static function style(): string {
		$chosen = Settings::all();
		$style  = '';
		foreach ( Settings::COLOURS as $name ) {
			if ( '' !== $chosen[ $name ] ) {
				$style .= "--almanac-$name:{$chosen[ $name ]};";
			}
		}
		$style .= '' === $chosen['text'] ? '' : 'color:var(--almanac-text);';
		return $style . ( '' === $chosen['background'] ? '' : 'background-color:var(--almanac-background);' );
	}

	private static function title( array $reading, array $words ): string {
		$signs = array();
		foreach ( array( 'sign', 'sign1', 'sign2' ) as $name ) {
			$signs[] = $words['signs'][ $reading[ $name ] ?? '' ] ?? '';
		}
		$signs     = implode( ' · ', array_filter( $signs ) );
		$operation = $words['operations'][ $reading['operation'] ?? '' ] ?? '';
		return implode( ': ', array_filter( array( $signs, $operation ) ) );
	}

	/**
	 * A period's first day in words, as the theme writes dates; of a language that WordPress is not in, in figures.
	 *
	 * @param array  $reading  With its `period`.
	 * @param string $language Of the text.
	 */
	private static function date( array $reading, string $language ): string {
		$period = is_string( $reading['period'] ?? null ) ? $reading['period'] : '';
		if ( ! preg_match( '/^(\d{4})(?:-(\d\d))?(?:-(\d\d))?\z/', $period, $found ) ) {
			return '';
		}
		$shown = $period;
		if ( Languages::base_of( get_locale() ) === $language && isset( $found[2] ) ) {
			$first  = gmmktime( 12, 0, 0, (int) $found[2], (int) ( $found[3] ?? 1 ), (int) $found[1] );
			$format = isset( $found[3] ) ? get_option( 'date_format' ) : 'F Y';
			$shown  = wp_date( $format, $first, new \DateTimeZone( 'UTC' ) );
		}
		return sprintf( '<p class="almanac-date"><time datetime="%s">%s</time></p>', esc_attr( $period ), esc_html( $shown ) );
	}

	private static function section( array $section, int $level, bool $has_pictures ): string {
		$parts = array( self::heading( $level, $section['heading'] ) );
		foreach ( $has_pictures ? $section['pictures'] : array() as $address ) {
			// The card's name stands beside it, so there is nothing to say of its picture.
			$parts[] = sprintf( '<p><img src="%s" alt="" loading="lazy" /></p>', esc_url( $address ) );
		}
		foreach ( $section['paragraphs'] as $paragraph ) {
			$parts[] = '<p>' . self::text( $paragraph ) . '</p>';
		}
		$facts = '';
		foreach ( $section['facts'] as list( $name, $value ) ) {
			if ( '' === $name ) {
				$parts[] = '<p>' . self::text( $value ) . '</p>';
			} else {
				$facts .= sprintf( '<dt>%s</dt><dd>%s</dd>', self::text( $name ), self::text( $value ) );
			}
		}
		$parts[] = '' === $facts ? '' : "<dl>$facts</dl>";
		return implode( "\n", array_filter( $parts ) );
	}

	/**
	 * A text that came from elsewhere, such that it is read as it was written. esc_html() would take `&lt;` for an escape of ours;
	 * and WordPress looks for shortcodes in what blocks print, so brackets are written in a way that it never turns back.
	 *
	 * @param string $text As it is published.
	 */
	private static function text( string $text ): string {
		$escaped = esc_html( str_replace( '&', '&amp;', $text ) );
		return str_replace( array( '[', ']' ), array( '&#x5B;', '&#x5D;' ), $escaped );
	}

	private static function heading( int $level, string $text ): string {
		$style = '' === Settings::all()['heading'] ? '' : ' style="color:var(--almanac-heading)"';
		return '' === $text ? '' : sprintf( '<h%1$d%2$s>%3$s</h%1$d>', $level, $style, self::text( $text ) );
	}
}
